import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { packageDependencies } from './dependency.ts'

const names = ['core', 'server', 'conventions', 'cli']

/** A folder in which npm has installed the packages, and a project beside it. */
function installed(resolved: (name: string) => string) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'nomen-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of ['tool/node_modules/@nomen/cli', 'tarball', 'desk'])
    mkdirSync(join(folder, name), { recursive: true })
  for (const name of names) writeFileSync(join(folder, 'tarball', `nomen-${name}-1.2.3.tgz`), '')
  const packages = Object.fromEntries(
    names.map((name) => [`node_modules/@nomen/${name}`, { resolved: resolved(name) }]),
  )
  writeFileSync(join(folder, 'tool/node_modules/.package-lock.json'), JSON.stringify({ packages }))
  return { packageFolder: join(folder, 'tool/node_modules/@nomen/cli'), project: join(folder, 'desk'), folder }
}

const published = {
  dependencies: { '@nomen/cli': '^1.2.3', '@nomen/core': '^1.2.3', '@nomen/server': '^1.2.3' },
  devDependencies: {},
}

it('a command from tarballs writes a project that depends on these tarballs', () => {
  const { packageFolder, project } = installed((name) => `file:../tarball/nomen-${name}-1.2.3.tgz`)
  const at = (name: string) => `file:../tarball/nomen-${name}-1.2.3.tgz`
  expect(packageDependencies(project, '1.2.3', packageFolder)).toEqual({
    dependencies: {
      '@nomen/cli': at('cli'),
      '@nomen/conventions': at('conventions'),
      '@nomen/core': at('core'),
      '@nomen/server': at('server'),
    },
    devDependencies: {},
  })
})

it('a command from a registry writes a project that depends on the published packages', () => {
  const { packageFolder, project } = installed(
    (name) => `https://registry.npmjs.org/@nomen/${name}/-/${name}-1.2.3.tgz`,
  )
  expect(packageDependencies(project, '1.2.3', packageFolder)).toEqual(published)
})

it('tarballs that are gone, and packages that another tool installed, are the published ones', () => {
  const { packageFolder, project, folder } = installed((name) => `file:../tarball/nomen-${name}-1.2.3.tgz`)
  rmSync(join(folder, 'tarball/nomen-core-1.2.3.tgz'))
  expect(packageDependencies(project, '1.2.3', packageFolder)).toEqual(published)
  rmSync(join(folder, 'tool/node_modules/.package-lock.json'))
  expect(packageDependencies(project, '1.2.3', packageFolder)).toEqual(published)
})
