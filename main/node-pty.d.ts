// The package behind the alias `node-pty` declares its types under its own name only.
declare module 'node-pty' {
  export * from '@lydell/node-pty';
}
