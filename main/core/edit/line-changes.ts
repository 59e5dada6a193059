// The window compares texts in the same way, so the comparison lives where both can load it.
export { changesBetween, splitLines, type Change, type Lines } from '../../../shared/text/line-changes';
