import { expect, it } from 'vitest'
import { publishedManifest } from './manifest.ts'

const manifest = {
  name: '@nomen/core',
  version: '1.2.3',
  type: 'module',
  bin: { nomen: './src/nomen.ts' },
  exports: {
    '.': { compiled: './dist/index.js', default: './src/index.ts' },
    './client': { compiled: './dist/client/index.js', default: './src/client/index.ts' },
    './package.json': './package.json',
  },
  dependencies: { fastify: '^5.0.0' },
  peerDependencies: { msw: '^3.0.0' },
  devDependencies: { vite: '^8.0.0' },
}

it('refers to the compiled files, types first, and keeps the dependencies', () => {
  const published = publishedManifest(manifest, {}, 'packages/core')
  expect(published).toEqual({
    name: '@nomen/core',
    version: '1.2.3',
    type: 'module',
    files: ['dist', 'src', 'static', 'docs'],
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

it('has homepage, bugs and repository of the repository, with the folder of the package', () => {
  const repository = {
    homepage: 'https://nomen.example.com',
    bugs: 'https://code.example.com/nomen/issues',
    repository: { type: 'git', url: 'git+https://code.example.com/nomen.git' },
    scripts: {},
  }
  const published = publishedManifest(manifest, repository, 'packages/core')
  expect(published).toMatchObject({
    homepage: 'https://nomen.example.com',
    bugs: 'https://code.example.com/nomen/issues',
    repository: { type: 'git', url: 'git+https://code.example.com/nomen.git', directory: 'packages/core' },
  })
  expect(published).not.toHaveProperty('scripts')
})
