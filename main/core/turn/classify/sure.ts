/** From this confidence on a classification by words stands; below it a cheap model may be asked (H14). */
export const SURE = 0.7;
