import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { completeLock, type Lock, missingEntries } from './lock.ts'

const parent = { version: '2.0.0', dev: true }

it('finds the binaries that an exact optional dependency asks for', () => {
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

it('places a binary beside a parent that is itself nested', () => {
  const nested = 'node_modules/knife/node_modules/tool'
  const lock: Lock = { packages: { [nested]: { ...parent, optionalDependencies: { 'tool-darwin-x64': '1.0.0' } } } }
  expect(Object.keys(missingEntries(lock))).toEqual(['node_modules/knife/node_modules/tool-darwin-x64'])
})

it('finds package-lock.json complete; otherwise run `npm run lock`', () => {
  const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))
  expect(Object.keys(missingEntries(lock))).toEqual([])
})
