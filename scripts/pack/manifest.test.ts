import { expect, it } from 'vitest'
import { publishedManifest } from './manifest.ts'

it('points at what the sources are compiled to, types first, and keeps what is installed with the package', () => {
  const published = publishedManifest({
    name: '@nomen/core',
    version: '1.2.3',
    type: 'module',
    bin: { nomen: './src/nomen.ts' },
    exports: {
      '.': './src/index.ts',
      './client': './src/client/index.ts',
      './package.json': './package.json',
    },
    dependencies: { fastify: '^5.0.0' },
    peerDependencies: { msw: '^3.0.0' },
    devDependencies: { vite: '^8.0.0' },
  })
  expect(published).toEqual({
    name: '@nomen/core',
    version: '1.2.3',
    type: 'module',
    files: ['dist', 'src', 'static'],
    bin: { nomen: './dist/nomen.js' },
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './client': { types: './dist/client/index.d.ts', default: './dist/client/index.js' },
      './package.json': './package.json',
    },
    dependencies: { fastify: '^5.0.0' },
    peerDependencies: { msw: '^3.0.0' },
  })
  expect(Object.keys((published.exports as Record<string, object>)['.'] ?? {})).toEqual(['types', 'default'])
})
