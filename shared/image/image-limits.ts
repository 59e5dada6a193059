/** What one picture may have: the usual providers refuse more (Anthropic: 5 MB and 8,000 pixels a side). */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
export const MAX_IMAGE_SIDE = 8_000;
/** Pictures of one message, and their bytes together: as base64 they stay below the usual 32 MB of a request. */
export const MAX_IMAGES = 10;
export const MAX_IMAGES_BYTES = 20 * 1024 * 1024;
