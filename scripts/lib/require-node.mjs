// Imported first by every script that a bare clone may start: says in one line what is missing, instead of
// failing later in a stranger's stack trace. Only syntax that very old versions of Node can read.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Lathe needs Node 20.19 or newer to set itself up; this is ${process.version} (https://nodejs.org).`,
  );
  process.exit(1);
}
