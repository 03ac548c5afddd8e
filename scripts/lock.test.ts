import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { addDigests, completeLock, type Lock, missingEntries, withoutDigest } from './lock.ts'

const parent = { version: '2.0.0', dev: true }

it('finds the binaries of an exact optional dependency', () => {
  const lock: Lock = {
    packages: {
      '': {},
      'node_modules/@tool/linux-x64': { version: '2.0.0' },
      'node_modules/tool': {
        ...parent,
        optionalDependencies: { '@tool/linux-x64': '2.0.0', '@tool/linux-arm64-musl': '2.0.0', peer: '^1.0.0' },
      },
    },
  }
  expect(missingEntries(lock)).toEqual({
    'node_modules/@tool/linux-arm64-musl': {
      version: '2.0.0',
      cpu: ['arm64'],
      dev: true,
      libc: ['musl'],
      optional: true,
      os: ['linux'],
    },
  })
  expect(Object.keys(completeLock(lock).packages)).toEqual([
    '',
    'node_modules/@tool/linux-arm64-musl',
    'node_modules/@tool/linux-x64',
    'node_modules/tool',
  ])
  expect(missingEntries(completeLock(lock))).toEqual({})
})

it('adds a binary next to a parent that is nested', () => {
  const nested = 'node_modules/knife/node_modules/tool'
  const lock: Lock = { packages: { [nested]: { ...parent, optionalDependencies: { 'tool-darwin-x64': '1.0.0' } } } }
  expect(Object.keys(missingEntries(lock))).toEqual(['node_modules/knife/node_modules/tool-darwin-x64'])
})

it('finds no missing entry in package-lock.json; otherwise run `npm run lock`', () => {
  const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))
  expect(Object.keys(missingEntries(lock))).toEqual([])
})

it('adds the digests of the registry, and requests each package once', async () => {
  const requestedNames: string[] = []
  const lock: Lock = {
    packages: {
      '': {},
      'node_modules/@a/b': { version: '1.0.0', dev: true },
      'node_modules/c': { version: '2.0.0', integrity: 'sha512-known' },
      'node_modules/c/node_modules/@a/b': { version: '1.0.0' },
      'node_modules/d': { version: '3.0.0', optional: true },
      'node_modules/own': { link: true },
      'packages/own': { version: '1.0.0' },
    },
  }
  const complete = await addDigests(lock, async (name) => {
    requestedNames.push(name)
    return name.startsWith('@a/') ? 'sha512-found' : undefined
  })
  expect(requestedNames.sort()).toEqual(['@a/b@1.0.0', 'd@3.0.0'])
  expect(JSON.stringify(complete.packages['node_modules/@a/b'])).toBe(
    '{"version":"1.0.0","integrity":"sha512-found","dev":true}',
  )
  expect([...withoutDigest(complete)]).toEqual([['node_modules/d', 'd@3.0.0']])
  expect(complete.packages['node_modules/own']).toEqual({ link: true })
})

/**
 * The registry that the lock file was created with lacks binaries of development tools for some platforms. With another
 * registry, `npm run lock` adds their digests. All other packages must have a digest.
 */
it('finds a digest for every package, except for binaries of development tools for other platforms', () => {
  const lock: Lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))
  const paths = [...withoutDigest(lock).keys()]
  const otherPaths = paths.filter((path) => {
    const { optional, os, cpu = [], libc = [] } = lock.packages[path] ?? {}
    const isTool = /node_modules\/(@biomejs\/cli|@oxc-parser\/binding|@rolldown\/binding)-[^/]+$/.test(path)
    const isUsual =
      os?.includes('linux') && ['x64', 'arm64'].some((name) => cpu.includes(name)) && !libc.includes('musl')
    return !isTool || !optional || !os || isUsual
  })
  expect(otherPaths).toEqual([])
})
