/** Creates a record for each row of a file, several at a time; what is refused is told with its line. */
import type { BulkRow } from '../model/bulk-text.ts'
import { formOf } from '../model/form.ts'
import type { Json } from '../model/openapi.ts'
import { problemOf } from '../model/problem.ts'
import type { Collection } from '../model/service.ts'
import type { Wire } from '../wire/wire.ts'

export interface Refused {
  readonly line: number
  readonly reason: string
}

export interface Imported {
  readonly created: number
  readonly refused: readonly Refused[]
}

export interface ImportAsk {
  readonly writer: Collection
  readonly path: string
  readonly rows: readonly BulkRow[]
  readonly signal: AbortSignal
  onProgress(done: number): void
}

/** So many requests are under way at once. */
const together = 6

export async function importRows(wire: Wire, { writer, path, rows, signal, onProgress }: ImportAsk): Promise<Imported> {
  const { fields } = formOf(writer, 'create')
  const names = new Set(fields.map(({ name }) => name))
  const managed = new Set(writer.fields.map(({ name }) => name).filter((name) => !names.has(name)))
  const refused: Refused[] = []
  const waiting = rows.values()
  let created = 0
  let done = 0
  const work = async () => {
    for (const { line, record, fault } of waiting) {
      if (signal.aborted) return
      const reason = record ? await create(withoutManaged(record)) : (fault ?? 'It cannot be read.')
      if (reason === undefined) created++
      else refused.push({ line, reason })
      onProgress(++done)
    }
  }
  // What was exported has properties that only the service sets: they are left to it again.
  const withoutManaged = (record: Json): Json =>
    Object.fromEntries(Object.entries(record).filter(([name]) => !managed.has(name)))
  const create = async (body: Json): Promise<string | undefined> => {
    try {
      await wire.send({ base: writer.api.base, method: 'POST', path, body, signal })
      return undefined
    } catch (error) {
      const { detail, errors } = problemOf(error)
      return [detail, ...errors.map((one) => `${one.pointer ?? ''} ${one.detail}`.trim())].join(' ')
    }
  }
  await Promise.all(Array.from({ length: together }, work))
  return { created, refused: refused.sort((one, other) => one.line - other.line) }
}
