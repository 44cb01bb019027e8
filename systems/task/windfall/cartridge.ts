/** SHA-256 of assets/games/windfall/windfall.gb; a test compares it with the committed file. */
export const CARTRIDGE_DIGEST = '959448d46d23577babbf471f3f20697d2867510bbe2c63e466c4e53c040dcebb';
