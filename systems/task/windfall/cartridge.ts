/** SHA-256 of assets/games/windfall/windfall.gb; a test compares it with the committed file. */
export const CARTRIDGE_DIGEST = 'a489a8cb2bab68e82af197962d4ed4bb70a5fa2302877e95e322cf2d3b8c8424';
