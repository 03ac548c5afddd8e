/** Loads the sample data of a service: fills in defaults, and checks every row as a request would be checked. */
import { DeclarationError, nearest, specOf } from '@nomen/core'
import type { Assignment } from '../define/assign.ts'
import { unrestrictedCaller } from '../define/caller/caller.ts'
import type { Service } from '../define/definition.ts'
import { type ServiceLogic, writeLogic } from '../logic/write-logic.ts'
import type { Model, StoredNoun } from '../store/model.ts'
import type { Values } from '../store/plan.ts'
import type { LoadPart, SampleStore } from '../store/store.ts'
import { computedNames, fieldsOf } from './read/field.ts'
import { objectReader } from './read/row.ts'
import { sampleFault } from './sample-fault.ts'
import { withTenantCheck } from './sample-tenant.ts'

/** Loads the sample data if the database is empty. */
export async function loadSample(
  store: SampleStore,
  sample: () => Iterable<LoadPart>,
  { model, assignments = [] }: Pick<Service, 'model' | 'assignments'>,
): Promise<void> {
  const rows = () => withTenantCheck(sampleRows(partsOf(sample), model, assignments), model)
  try {
    await store.loadIfEmpty(rows)
  } catch (error) {
    if (error instanceof DeclarationError) throw error
    throw sampleFault(rows(), model) ?? error
  }
}

function partsOf(sample: () => Iterable<LoadPart>): Iterable<LoadPart> {
  const parts = typeof sample === 'function' ? sample() : undefined
  if (typeof parts === 'object' && parts !== null && Symbol.iterator in parts) return parts
  throw new DeclarationError(
    'sample',
    'it must be a function that returns a list of parts.',
    "write sample: () => [{ noun: 'user', rows: [{ username: 'ada' }] }].",
  )
}

/** Completes the rows. A row without an identity gets the identity after that of the previous row. */
function sampleRows(parts: Iterable<LoadPart>, model: Model, assignments: readonly Assignment[]): Iterable<LoadPart> {
  const { nouns, links } = model
  return Iterator.from(parts).map((part) => {
    checkPart(part)
    if ('noun' in part) {
      const stored = nouns.get(part.noun)
      if (!stored) throw unknownPart(`noun "${part.noun}"`, part.noun, nouns.keys())
      return { noun: part.noun, rows: completeRows(stored, part.rows, { rules: [], assignments, model }) }
    }
    const name = part.link.join('-')
    if (!links.some((link) => link.name === name))
      throw unknownPart(
        `link "${name}"`,
        name,
        links.map((link) => link.name),
      )
    return part
  })
}

/** Rejects a part of the wrong shape, which the compiler finds only in checked code. */
function checkPart(part: LoadPart): void {
  const { noun, link, rows } = (part ?? {}) as Partial<Readonly<Record<string, unknown>>>
  const isNamed = typeof noun === 'string' || (Array.isArray(link) && link.every((name) => typeof name === 'string'))
  if (isNamed && typeof rows === 'object' && rows !== null && Symbol.iterator in rows) return
  throw new DeclarationError(
    'sample',
    'each part must have the name of a noun, or the two names of a link, and rows.',
    "write { noun: 'user', rows: [{ username: 'ada' }] } or { link: ['user', 'role'], rows: [[1, 2]] }.",
  )
}

function* completeRows(
  stored: StoredNoun,
  rows: Iterable<Readonly<Record<string, unknown>>>,
  logic: ServiceLogic,
): Iterable<Values> {
  const { noun } = stored
  const now = new Date().toISOString()
  // An async assignment reads records in the transaction of one write, which a row of a sample does not have.
  const nounAssignments = logic.assignments.filter((assignment) => assignment.noun === noun)
  const assignments = nounAssignments.filter(({ isAsync }) => !isAsync)
  const hasAsyncAssignment = assignments.length < nounAssignments.length
  const read = objectReader({
    fields: fieldsOf(
      { stored },
      assignments.flatMap(({ fields }) => fields),
    ),
    ignored: computedNames({ stored }),
    logic: writeLogic(noun, { ...logic, assignments })(noun.fields, { caller: unrestrictedCaller, now }),
    now: () => now,
  })
  const isNumbered = !specOf(noun, noun.identity).guid
  let latestIdentity = 0
  let number = 0
  for (const row of rows) {
    number++
    const result = read(row)
    const fault = 'fault' in result ? result.fault : result.cannotInsertReason
    if (fault !== undefined || !('row' in result))
      throw new DeclarationError(
        `row ${number} of the sample of "${noun.name}"`,
        `${fault}`,
        `use values that POST accepts${hasAsyncAssignment ? ', and set the fields of async assignments' : ''}.`,
      )
    const { values } = result.row
    const completeRow = isNumbered
      ? { ...values, [noun.identity]: values[noun.identity] ?? latestIdentity + 1 }
      : values
    if (isNumbered) latestIdentity = Number(completeRow[noun.identity])
    yield completeRow
  }
}

function unknownPart(part: string, name: string, knownNames: Iterable<string>): DeclarationError {
  const names = [...knownNames]
  const suggestion = nearest(name, names)
  return new DeclarationError(
    'sample',
    `the service has no ${part}.`,
    suggestion ? `did you mean "${suggestion}"?` : `use one of ${names.join(', ')}.`,
  )
}
