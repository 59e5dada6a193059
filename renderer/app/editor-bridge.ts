/**
 * The editor's store, loaded when first asked for: the shell must paint before the editor's code is there.
 */
export const loadEditor = async () => (await import('../features/editor/editor-store')).editorActions;
