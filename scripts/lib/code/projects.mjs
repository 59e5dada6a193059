import path from 'node:path';
import ts from 'typescript';

/** @typedef {{ configFile: string, files: string[], parsed: ts.ParsedCommandLine }} Project */

/**
 * The projects that tsconfig.json refers to, which is where editors look for them too.
 *
 * @param {string} root
 * @returns {Project[]}
 */
export function projectsOf(root) {
  const references = parse(path.join(root, 'tsconfig.json')).projectReferences ?? [];
  return references.map((reference) => {
    const configFile = ts.resolveProjectReferencePath(reference);
    const parsed = parse(configFile);
    return { configFile, files: parsed.fileNames.map((file) => path.normalize(file)), parsed };
  });
}

function parse(/** @type {string} */ file) {
  const parsed = ts.getParsedCommandLineOfConfigFile(
    file,
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (diagnostic) => fail(diagnostic) },
  );
  // A folder that has no file yet is in order: somebody may be about to write the first one.
  const [error] = parsed?.errors.filter(({ code }) => code !== NO_INPUTS) ?? [];
  if (error) fail(error);
  return /** @type {ts.ParsedCommandLine} */ (parsed);
}

const NO_INPUTS = 18003;

/** @returns {never} */
function fail(/** @type {ts.Diagnostic} */ diagnostic) {
  throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'));
}

/**
 * Makes the programs of several projects, which share the syntax trees of the files that they have in common.
 *
 * @returns {(project: Project) => ts.Program}
 */
export function programMaker() {
  /** @type {Map<string, ts.SourceFile | undefined>} */
  const trees = new Map();
  return ({ parsed }) => {
    const host = ts.createCompilerHost(parsed.options);
    host.jsDocParsingMode = ts.JSDocParsingMode.ParseForTypeErrors;
    const { getSourceFile } = host;
    host.getSourceFile = (file, options, ...rest) => {
      const format = typeof options === 'object' ? options.impliedNodeFormat : undefined;
      const key = `${file}\0${format}\0${parsed.options.jsx}`;
      if (!trees.has(key)) trees.set(key, getSourceFile(file, options, ...rest));
      return trees.get(key);
    };
    return ts.createProgram({ rootNames: parsed.fileNames, options: parsed.options, host });
  };
}
