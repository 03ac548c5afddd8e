// Compiler errors for likely mistakes in a declaration name the field and the mistake.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))

const start = `import { api, choice, email, equal, identity, integer, link, noun, operation, reference, resource, text } from '@nomen/core'
const department = noun('department', { id: identity(), name: text() })
const user = noun('user', { id: identity(), firstName: text(), lastName: text(), email: email().unique(), department: reference(() => department) })
const preference = noun('preference', { id: identity(), user: reference(() => user) })
const userDepartment = link(user, department)
const known = noun('known', { id: identity(), name: text() }, { computed: { fullName: text() } })
`

const fields = '"department" | "email" | "firstName" | "id" | "lastName"'

/** The name of a mistake, the declaration, and the end of the compiler's message. */
const mistakes: readonly (readonly [string, string, string])[] = [
  [
    'a list with an unknown field',
    "resource(user, { list: ['id', 'fristName'] })",
    `Type '"fristName"' is not assignable to type '${fields}'. Did you mean '"firstName"'?`,
  ],
  [
    'a lookup by a property that is not unique',
    "resource(user, { by: ['lastName'] })",
    `Type '["lastName"]' is not assignable to type '"'lastName' is not unique: add unique() to the field"'.`,
  ],
  [
    'a filter on an unknown field',
    "resource(user, { filters: { either: equal('firstName', 'lastNam') } })",
    `Type '"lastNam"' is not assignable to type '${fields}'. Did you mean '"lastName"'?`,
  ],
  [
    'a default filter on an unknown field',
    "resource(user, { defaultFilter: { fristName: 'Ada' } })",
    "Did you mean to write 'firstName'?",
  ],
  [
    'a reference to a noun that is read too early',
    "noun('badge', { id: identity(), owner: reference(user) })",
    'is not assignable to type \'"write reference(() => user)"\'.',
  ],
  [
    'a default of another type',
    "noun('badge', { id: identity(), count: integer().default('1') })",
    "Argument of type 'string' is not assignable to parameter of type 'number'.",
  ],
  [
    'a default that is not a value of the choice',
    "noun('badge', { id: identity(), status: choice('ON', 'OFF').default('ONN') })",
    `Argument of type '"ONN"' is not assignable to parameter of type '"OFF" | "ON"'.`,
  ],
  [
    'a GET with a body',
    "operation({ method: 'GET', on: 'record', body: { reason: text() }, response: { count: integer() } })",
    `is not assignable to type '"a GET has no body: use query"'.`,
  ],
  [
    'a GET without a response',
    "operation({ method: 'GET', on: 'record' })",
    `; }' but required in type '{ readonly response: "a GET needs a response"; }'.`,
  ],
  [
    'a POST with a query',
    "operation({ method: 'POST', on: 'record', query: { reason: text() } })",
    `is not assignable to type '"only a GET has a query: use body"'.`,
  ],
  ['an unknown option', "resource(user, { lists: ['id'] })", "Did you mean to write 'list'?"],
  [
    'a child without a reference to its parent',
    'resource(user, { children: [resource(preference), resource(department)] })',
    `is not assignable to type '"'department' has no reference to 'user': add via"'.`,
  ],
  [
    'a summary with a property that the list does not have',
    "resource(user, { list: ['id', 'lastName'], summary: ['id', 'email'] })",
    `Type '["id", "email"]' is not assignable to type '"summary has 'email', but list does not"'.`,
  ],
  [
    'a list with a property that the detail does not have',
    "resource(user, { list: ['id', 'lastName'], detail: ['id', 'email'] })",
    `Type '["id", "lastName"]' is not assignable to type '"list has 'lastName', but detail does not"'.`,
  ],
  [
    'a list with a property that the record does not have',
    "resource(user, { complete: ['id', 'lastName'], list: ['id', 'email'] })",
    `Type '["id", "email"]' is not assignable to type '"list has 'email', but complete does not"'.`,
  ],
  [
    'a rename of an unknown field',
    "resource(user, { rename: { name: 'fullName' } })",
    `Type '"fullName"' is not assignable to type '${fields}'.`,
  ],
  [
    'a label that is not a field',
    "noun('badge', { id: identity(), name: text() }, { label: 'nam' })",
    `Did you mean '"name"'?`,
  ],
  [
    'a computed field with the name of a stored field',
    "noun('badge', { id: identity(), name: text() }, { computed: { name: text() } })",
    `is not assignable to type '"'name' is also a stored field: rename one of them"'.`,
  ],
  [
    'a computed field that is unique',
    "noun('badge', { id: identity(), name: text() }, { computed: { code: text().unique() } })",
    `is not assignable to type '"a computed field cannot be unique: remove unique()"'.`,
  ],
  [
    'a search in a computed field',
    "resource(known, { search: ['fullName'] })",
    `Type '"fullName"' is not assignable to type '"id" | "name"'.`,
  ],
  [
    'whole versioning without a version',
    "api('directory', { versioning: 'whole', writes: 'nested', resources: [resource(user)] })",
    `is not assignable to type 'Mistake<"versioning 'whole' needs a version, such as version: 1">'.`,
  ],
  [
    'a missing form of writes',
    "api('directory', { versioning: 'per-noun', resources: [resource(user)] })",
    "but required in type 'ApiOptions'.",
  ],
]

/** Correct declarations that are close to a mistake. */
const correct = [
  "resource(user, { by: ['email'], list: ['id', 'lastName'], summary: ['id'], detail: true })",
  "resource(user, { rename: { mail: 'email' }, by: ['mail'], complete: ['id', 'mail'], list: ['id'] })",
  'resource(user, { children: [resource(preference), resource(department, { via: userDepartment })] })',
  'resource(department, { children: [resource(user, { children: [resource(preference)] })] })',
  "resource(known, { list: ['id', 'fullName'], search: ['name'] })",
  "api('directory', { version: 1, versioning: 'whole', writes: 'nested', resources: [resource(user)] })",
]

describe('the compiler', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  /** The last line of the compiler's message for each line of the file. */
  const messages = new Map<number, string>()
  const firstLine = start.split('\n').length

  beforeAll(async () => {
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(join(root, 'node_modules/@nomen'), join(folder, 'node_modules/@nomen'), 'dir')
    const lines = [...mistakes.map(([, code]) => code), ...correct]
    const settings = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { lib: ['esnext', 'dom'], types: [] },
      include: ['declared.ts'],
    }
    // Without this file, a package.json in a parent folder would apply.
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
    writeFileSync(join(folder, 'declared.ts'), `${start}${lines.map((code) => `void ${code}\n`).join('')}`)
    const tsc = join(root, 'node_modules/.bin/tsc')
    const output = await new Promise<string>((resolve) => {
      execFile(tsc, ['--noEmit', '--pretty', 'false'], { cwd: folder }, (_, stdout) => resolve(stdout))
    })
    let lineNumber = 0
    for (const line of output.trimEnd().split('\n')) {
      lineNumber = Number(/^declared\.ts\((\d+),/.exec(line)?.[1] ?? lineNumber)
      messages.set(lineNumber, line)
    }
  })

  it.each(mistakes.map(([name, , text], index) => [name, text, index] as const))('reports %s', (_, text, index) => {
    const line = messages.get(firstLine + index) ?? ''
    expect(line.slice(-text.length)).toBe(text)
  })

  it('accepts correct declarations', () => {
    const numbers = [...messages.keys()].filter((line) => line < firstLine || line >= firstLine + mistakes.length)
    expect(numbers.map((line) => messages.get(line))).toEqual([])
  })
})
