// What an editor shows of a declaration: every function with an example that compiles, every option with one.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import * as core from '../src/index.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, 'packages', path), 'utf8')

const comment = String.raw`/\*\*(?<text>(?:(?!\*/)[^])*)\*/\n`

/** The comments of exported functions and classes, by their names; undefined where there is none. */
function commentsIn(code: string): [string, string | undefined][] {
  const exported = [...code.matchAll(/^export (?:async )?(?:function|class) (\w+)/gm)].map(([, name = '']) => name)
  return [...new Set(exported)].map((name) => {
    const found = new RegExp(`${comment}export (?:async )?(?:function|class) ${name}\\b`).exec(code)
    return [name, found?.groups?.text]
  })
}

/** The comments of everything that a package exports from its own files; `entries` are entry points beside the index. */
function commentsOf(folder: string, ...entries: string[]): Map<string, string | undefined> {
  const index = read(`${folder}/index.ts`)
  const files = [...index.matchAll(/from '\.\/(.+)'/g)].map(([, file = '']) => file)
  return new Map([...files, ...entries].flatMap((file) => commentsIn(read(`${folder}/${file}`))))
}

function examplesIn(text: string | undefined): string[] {
  const plain = (text ?? '').replaceAll(/^ \* ?/gm, '')
  return [...plain.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, example = '']) => example)
}

/** Each member of an interface that has no comment with an example in backticks. */
function bareMembers(code: string, name: string): string[] {
  const body = new RegExp(`^export interface ${name}\\b[^]*?^}`, 'm').exec(code)?.[0] ?? ''
  expect(body, name).not.toBe('')
  const members = [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(<]/gm)].map(([, member = '']) => member)
  expect(members, name).not.toEqual([])
  return members.filter((member) => {
    const found = new RegExp(`${comment} {2}(?:readonly )?${member}\\??[:(<]`).exec(body)
    return !/`[^`]+`/.test(found?.groups?.text ?? '')
  })
}

describe('the comments', () => {
  const comments = commentsOf('core/src')
  const functions = Object.entries(core).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []))

  it.each(functions)('%s has one with an example', (name) => {
    expect(examplesIn(comments.get(name)), name).not.toEqual([])
  })

  it.each([
    'after',
    'atLeast',
    'before',
    'between',
    'fetchHandler',
    'filter',
    'handle',
    'callerNoun',
    'open',
    'plugin',
    'rule',
    'service',
    'visible',
  ])('%s, which a service file calls, has one with an example', (name) => {
    expect(examplesIn(commentsOf('server/src', 'fastify.ts', 'fetch.ts').get(name)), name).not.toEqual([])
  })

  it.each([
    ['core/src/noun/noun.ts', 'NounOptions'],
    ['core/src/resource/resource.ts', 'ResourceOptions'],
    ['core/src/resource/resource.ts', 'PageSize'],
    ['core/src/resource/operation.ts', 'OperationOptions'],
    ['core/src/api/check.ts', 'ApiOptions'],
    ['core/src/noun/link.ts', 'LinkOptions'],
    ['core/src/declaration/deprecation.ts', 'Deprecation'],
    ['core/src/field/kinds.ts', 'TextLimits'],
    ['core/src/field/kinds.ts', 'Range'],
    ['server/src/define/definition.ts', 'ServiceOptions'],
  ])('every option in %s, %s, has one with an example', (file, name) => {
    expect(bareMembers(read(file), name)).toEqual([])
  })

  it('every modifier of a field has one with an example', () => {
    const inner = ['spec']
    expect(bareMembers(read('core/src/field/field.ts'), 'Field').filter((name) => !inner.includes(name))).toEqual([])
  })

  it('have examples that compile', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(join(root, 'node_modules/@nomen'), join(folder, 'node_modules/@nomen'), 'dir')
    const compilerOptions = { lib: ['esnext', 'dom'], types: [], verbatimModuleSyntax: false }
    const settings = { extends: join(root, 'tsconfig.json'), compilerOptions, include: ['*.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
    writeFileSync(join(folder, 'known.ts'), known)
    for (const name of functions) {
      for (const [at, example] of examplesIn(comments.get(name)).entries()) {
        const declared = [...example.matchAll(/const (\w+)/g)].map(([, one]) => one)
        const own = nouns.filter((noun) => !declared.includes(noun))
        const imports = `import { AccessEntry, ${functions} } from '@nomen/core'\nimport { ${own} } from './known.ts'\n`
        writeFileSync(join(folder, `${name}-${at}.ts`), `${imports}${example}`)
      }
    }
    const said = await new Promise<string>((resolve) => {
      const tsc = join(root, 'node_modules/.bin/tsc')
      execFile(tsc, ['--noEmit', '--pretty', 'false'], { cwd: folder }, (_, output) => resolve(output))
    })
    expect(said).toBe('')
  }, 60_000)
})

const nouns = ['department', 'user', 'note', 'role', 'action', 'directory']

/** What the examples speak of. */
const known = `
import { api, createdAt, createdBy, email, identity, noun, reference, resource, text, updatedAt, updatedBy } from '@nomen/core'
export const department = noun('department', { id: identity(), name: text() })
export const user = noun('user', {
  id: identity(), firstName: text(), lastName: text(), email: email().unique(), created: createdAt(),
  department: reference(() => department),
})
export const note = noun('note', {
  id: identity(), created: createdAt(), lastUpdated: updatedAt(),
  createdBy: createdBy(() => user), updatedBy: updatedBy(() => user),
})
export const role = noun('role', { id: identity(), applicationRef: reference(() => department) })
export const action = noun('action', { id: identity(), applicationRef: reference(() => department) })
export const directory = api('directory', { versioning: 'per-noun', writes: 'nested', resources: [resource(user)] })
`
