/** Builds the console into the package of the command, with every file compressed beside it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const here = fileURLToPath(new URL('.', import.meta.url))
const outDir = process.env.CONSOLE_FOLDER ?? join(here, '../../packages/cli/static/console')

/** The last two steps of brotli take twenty times as long, for 7 of a hundred bytes. */
const small = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

/** Compressed once, when it is built. */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  writeBundle: () => {
    for (const name of readdirSync(outDir, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(html|js|css|svg)$/.test(name)) continue
      const path = join(outDir, name)
      const plain = readFileSync(path)
      writeFileSync(`${path}.br`, brotliCompressSync(plain, small))
      writeFileSync(`${path}.gz`, gzipSync(plain, { level: 9 }))
    }
  },
}

/**
 * A web server that sends no header serves the page with this policy. The page narrows `connect-src` to the service that
 * it shows. The development server needs scripts in the page, so only the built page has it.
 */
const contentPolicy: Plugin = {
  name: 'content-policy',
  apply: 'build',
  transformIndexHtml: () => [
    {
      tag: 'meta',
      injectTo: 'head-prepend',
      attrs: {
        'http-equiv': 'Content-Security-Policy',
        content: [
          "default-src 'none'",
          "script-src 'self'",
          "style-src 'self' 'unsafe-inline'",
          "img-src 'self' data:",
          "connect-src 'self' https: http:",
          "base-uri 'none'",
          "form-action 'none'",
        ].join('; '),
      },
    },
  ],
}

/** The first view comes in two files: one that stays the same from release to release, and one that does not. */
const chunks = {
  groups: [
    { name: 'library', tags: ['$initial' as const], test: /node_modules/ },
    { name: 'console', tags: ['$initial' as const] },
  ],
}

export default defineConfig({
  root: here,
  // Nothing in the page says where it stands: it runs below any address.
  base: './',
  plugins: [react(), contentPolicy, compressed],
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2024',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: { output: { codeSplitting: chunks } },
  },
  server: { proxy: { '^/(?!console|src|@|node_modules)': process.env.SERVICE ?? 'http://127.0.0.1:3000' } },
})
