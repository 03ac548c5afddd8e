// What the compiler says of likely mistakes in a declaration: the field and what is wrong with it.
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

/** A declaration, and the last line of what the compiler says of it. */
const mistakes: readonly (readonly [string, string, string])[] = [
  [
    'a list of an unknown field',
    "resource(user, { list: ['id', 'fristName'] })",
    `Type '"fristName"' is not assignable to type '${fields}'. Did you mean '"firstName"'?`,
  ],
  [
    'a lookup by what is not unique',
    "resource(user, { by: ['lastName'] })",
    `Type '["lastName"]' is not assignable to type '"'lastName' is not unique: declare it with unique()"'.`,
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
    'a default that is none of the choices',
    "noun('badge', { id: identity(), status: choice('ON', 'OFF').default('ONN') })",
    `Argument of type '"ONN"' is not assignable to parameter of type '"OFF" | "ON"'.`,
  ],
  [
    'a GET with a body',
    "operation({ method: 'GET', on: 'record', body: { reason: text() }, answer: { count: integer() } })",
    `is not assignable to type '"a GET has no body: use query"'.`,
  ],
  [
    'a GET that answers nothing',
    "operation({ method: 'GET', on: 'record' })",
    `; }' but required in type '{ readonly answer: "a GET answers something: say what"; }'.`,
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
    `is not assignable to type '"'department' has no reference to 'user': say how they are related by via"'.`,
  ],
  [
    'a summary of what the list does not show',
    "resource(user, { list: ['id', 'lastName'], summary: ['id', 'email'] })",
    `Type '["id", "email"]' is not assignable to type '"summary shows 'email', which list does not"'.`,
  ],
  [
    'a list of what the detail does not show',
    "resource(user, { list: ['id', 'lastName'], detail: ['id', 'email'] })",
    `Type '["id", "lastName"]' is not assignable to type '"list shows 'lastName', which detail does not"'.`,
  ],
  [
    'a list of what is not shown at all',
    "resource(user, { complete: ['id', 'lastName'], list: ['id', 'email'] })",
    `Type '["id", "email"]' is not assignable to type '"list shows 'email', which complete does not"'.`,
  ],
  [
    'another name for an unknown field',
    "resource(user, { rename: { name: 'fullName' } })",
    `Type '"fullName"' is not assignable to type '${fields}'.`,
  ],
  [
    'a label that is no field',
    "noun('badge', { id: identity(), name: text() }, { label: 'nam' })",
    `Did you mean '"name"'?`,
  ],
  [
    'a computed field that is stored',
    "noun('badge', { id: identity(), name: text() }, { computed: { name: text() } })",
    `is not assignable to type '"'name' is stored already: name one of the two otherwise"'.`,
  ],
  [
    'a computed field that is unique',
    "noun('badge', { id: identity(), name: text() }, { computed: { code: text().unique() } })",
    `is not assignable to type '"a computed field is not unique: leave unique() out"'.`,
  ],
  [
    'a search in a computed field',
    "resource(known, { search: ['fullName'] })",
    `Type '"fullName"' is not assignable to type '"id" | "name"'.`,
  ],
  [
    'no version of an api that is versioned as a whole',
    "api('directory', { versioning: 'whole', writes: 'nested', resources: [resource(user)] })",
    `is not assignable to type 'Mistake<"versioning 'whole' needs a version, such as version: 1">'.`,
  ],
  [
    'no form of writes',
    "api('directory', { versioning: 'per-noun', resources: [resource(user)] })",
    "but required in type 'ApiOptions'.",
  ],
]

/** What is right, and close to a mistake. */
const right = [
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
  /** What is said of each line of the file, the last line of it. */
  const said = new Map<number, string>()
  const firstLine = start.split('\n').length

  beforeAll(async () => {
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(join(root, 'node_modules/@nomen'), join(folder, 'node_modules/@nomen'), 'dir')
    const lines = [...mistakes.map(([, code]) => code), ...right]
    const settings = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { lib: ['esnext', 'dom'], types: [] },
      include: ['declared.ts'],
    }
    // Without it, what a package.json above the folder says would count.
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
    writeFileSync(join(folder, 'declared.ts'), `${start}${lines.map((code) => `void ${code}\n`).join('')}`)
    const tsc = join(root, 'node_modules/.bin/tsc')
    const output = await new Promise<string>((resolve) => {
      execFile(tsc, ['--noEmit', '--pretty', 'false'], { cwd: folder }, (_, stdout) => resolve(stdout))
    })
    let at = 0
    for (const line of output.trimEnd().split('\n')) {
      at = Number(/^declared\.ts\((\d+),/.exec(line)?.[1] ?? at)
      said.set(at, line)
    }
  }, 60_000)

  it.each(mistakes.map(([name, , text], index) => [name, text, index] as const))('of %s', (_, text, index) => {
    const line = said.get(firstLine + index) ?? ''
    expect(line.slice(-text.length)).toBe(text)
  })

  it('says nothing of what is right', () => {
    const numbers = [...said.keys()].filter((line) => line < firstLine || line >= firstLine + mistakes.length)
    expect(numbers.map((line) => said.get(line))).toEqual([])
  })
})
