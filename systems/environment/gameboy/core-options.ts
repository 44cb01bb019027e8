import type { CartridgeHeader } from './cartridge-header.ts';

/**
 * Every option that could change what a fly sees or how a game runs, fixed. Opposite directions reach the game as they
 * were decided: nothing between the decoder and the joypad drops a press.
 */
export function coreOptions(cartridge: CartridgeHeader): Readonly<Record<string, string>> {
  return {
    mgba_gb_model: cartridge.cgb === 'required' ? 'Game Boy Color' : 'Game Boy',
    mgba_use_bios: 'OFF',
    mgba_skip_bios: 'ON',
    mgba_gb_colors: 'Grayscale',
    mgba_gb_colors_preset: '0',
    mgba_sgb_borders: 'OFF',
    mgba_audio_low_pass_filter: 'disabled',
    mgba_audio_low_pass_range: '60',
    mgba_allow_opposing_directions: 'yes',
    mgba_solar_sensor_level: '0',
    mgba_force_gbp: 'OFF',
    mgba_idle_optimization: "Don't Remove",
    mgba_frameskip: 'disabled',
    mgba_frameskip_threshold: '33',
    mgba_frameskip_interval: '0',
    mgba_color_correction: 'OFF',
    mgba_interframe_blending: 'OFF',
  };
}
