/** The sample data of a service, by the rules of a request: what a row leaves out is filled in, what is wrong is told. */
import { DeclarationError, nearest, specOf } from '@nomen/core'
import type { Model, StoredNoun } from '../store/model.ts'
import type { Values } from '../store/plan.ts'
import type { LoadPart, SampleStore } from '../store/store.ts'
import { computedNames, fieldsOf } from './read/field.ts'
import { objectReader } from './read/row.ts'
import { sampleFault } from './sample-fault.ts'

/** Fills the database where it is empty. */
export async function loadSample(store: SampleStore, sample: () => Iterable<LoadPart>, model: Model): Promise<void> {
  try {
    await store.loadIfEmpty(() => sampleRows(sample(), model))
  } catch (error) {
    if (error instanceof DeclarationError) throw error
    throw sampleFault(sampleRows(sample(), model), model) ?? error
  }
}

/** Gives rows that are whole. Those without an identity are counted on from the row before. */
function sampleRows(parts: Iterable<LoadPart>, { nouns, links }: Model): Iterable<LoadPart> {
  return Iterator.from(parts).map((part) => {
    if ('noun' in part) {
      const stored = nouns.get(part.noun)
      if (!stored) throw unknownPart(`noun "${part.noun}"`, part.noun, nouns.keys())
      return { noun: part.noun, rows: wholeRows(stored, part.rows) }
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

function* wholeRows(stored: StoredNoun, rows: Iterable<Readonly<Record<string, unknown>>>): Iterable<Values> {
  const { noun } = stored
  const now = new Date().toISOString()
  const read = objectReader({
    fields: fieldsOf({ stored }),
    ignored: computedNames({ stored }),
    check: undefined,
    now: () => now,
  })
  const isCounted = !specOf(noun, noun.identity).guid
  let latest = 0
  let at = 0
  for (const given of rows) {
    at++
    const reading = read(given)
    const fault = 'fault' in reading ? reading.fault : reading.bar
    if (fault !== undefined || !('row' in reading))
      throw new DeclarationError(
        `row ${at} of the sample of "${noun.name}"`,
        `${fault}`,
        'give it what POST would take.',
      )
    const { values } = reading.row
    const whole = isCounted ? { ...values, [noun.identity]: values[noun.identity] ?? latest + 1 } : values
    if (isCounted) latest = Number(whole[noun.identity])
    yield whole
  }
}

function unknownPart(subject: string, name: string, known: Iterable<string>): DeclarationError {
  const names = [...known]
  const near = nearest(name, names)
  return new DeclarationError(
    `sample of ${subject}`,
    'the service has none of that name.',
    near ? `did you mean "${near}"?` : `name one of ${names.join(', ')}.`,
  )
}
