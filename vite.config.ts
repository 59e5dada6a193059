import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: 'renderer',
  // The same files are served from a custom protocol, from 127.0.0.1 and from behind a proxy's path.
  base: './',
  plugins: [react()],
  worker: { format: 'es' },
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    // Four fifths of the size and half of the time: made on demand, by `npx vite build --sourcemap`.
    sourcemap: false,
    // The content security policy allows files of our own only: no inline script, no data: address for an asset.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // The editor and its language workers are megabytes, and load from the disk next to them.
    chunkSizeWarningLimit: 20_000,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
});
