/** SHA-256 of assets/games/windfall/windfall.gb; a test compares it with the committed file. */
export const CARTRIDGE_DIGEST = 'b154335f9c375b9e61323609b0c3aab76fe4c5807e41ee3496a5e1507a37be08';
