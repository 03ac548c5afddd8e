/** A service with notes and people, and functions to read its database, for tests of `nomen load` and `nomen export`. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { serviceFolder } from './folder.ts'
import type { CommandResult } from './nomen.ts'

export const noteService = `
  import { api, email, identity, link, noun, reference, resource, text } from '@nomen/core'
  import { service } from '@nomen/server'
  const note = noun('note', { id: identity(), title: text(), body: text().default('') })
  const person = noun('person', {
    id: identity(), name: text(), mail: email().unique(), boss: reference(() => person).nullable(),
  })
  const personNote = link(person, note)
  const desk = api('desk', {
    versioning: 'per-noun', writes: 'nested',
    resources: [resource(note), resource(person, { children: [resource(note, { via: personNote })] })],
  })
  export default service({ name: 'desk', apis: [desk] })
`

export function noteServiceFolder(files: Readonly<Record<string, string>> = {}): string {
  return serviceFolder({ 'service.ts': noteService, ...files })
}

/** Rows of a table, read without the command. */
export function rows(folder: string, query: string): Record<string, unknown>[] {
  const database = new DatabaseSync(join(folder, 'data/desk.db'), { readOnly: true })
  try {
    return database
      .prepare(query)
      .all()
      .map((row) => ({ ...row }))
  } finally {
    database.close()
  }
}

export function count(folder: string, table: string): number {
  return Number(rows(folder, `select count(*) as "count" from "${table}"`)[0]?.count)
}

/** The numbers of the summary: loaded, updated, unchanged, rejected. */
export function figures({ output }: CommandResult): (string | undefined)[] {
  return ['loaded', 'updated', 'unchanged', 'rejected'].map(
    (name) => new RegExp(`^ {2}${name} +([\\d,]+)`, 'm').exec(output)?.[1],
  )
}

export const notes = (length: number) => `title\n${Array.from({ length }, (_, index) => `Note ${index}\n`).join('')}`
export const people = (length: number) =>
  `name,mail,boss\n${Array.from({ length }, (_, index) => `P${index},p${index}@example.com,\n`).join('')}`

/** 0 if the table does not exist yet. */
export function tryCount(folder: string, table: string): number {
  try {
    return count(folder, table)
  } catch {
    return 0
  }
}
