/** Creates deleted records again, as far as a service can: under new identities, without what belonged to them. */
import { together } from '../bulk/together.ts'
import { recordPath } from '../model/address.ts'
import { problemText } from '../model/advice.ts'
import { formOf } from '../model/record/form.ts'
import { wholeBody } from '../model/record/values.ts'
import type { Json } from '../model/service/openapi.ts'
import type { Collection } from '../model/service/service.ts'
import { useConsole } from '../wire/console-context.ts'
import { recordFrom, useStale } from '../wire/data.ts'
import { router } from '../wire/router.ts'

export interface Deleted {
  /** Those of its path, its own at the end. */
  readonly ids: readonly unknown[]
  readonly record: Json
}

/** What can still be done about a delete, for the message that tells of it; nothing where the service creates none. */
export function useRecreate(
  writer: Collection,
): (all: readonly Deleted[]) => { readonly action?: { readonly title: string; readonly run: () => void } } {
  const { wire, say } = useConsole()
  const stale = useStale()
  const { operations, identity } = writer
  const recreate = async (all: readonly Deleted[]) => {
    const made: { readonly old: Deleted; readonly id: unknown }[] = []
    const refused: string[] = []
    await together(all, async (old) => {
      const path = recordPath(writer, old.ids).replace(/\/[^/]*$/, '')
      const body = wholeBody(formOf(writer, 'create').fields, old.record)
      try {
        const { body: answer } = await wire.send({ base: writer.api.base, method: 'POST', path, body })
        made.push({ old, id: recordFrom(writer, answer)[identity] })
      } catch (error) {
        refused.push(`${old.ids.at(-1)}: ${problemText(error)}`)
      }
    })
    await stale(writer)
    const [first] = made
    const lost = made.length > 0 ? lostOf(writer) : ''
    if (refused.length > 0) {
      const count = all.length === 1 ? 'It is not' : `${made.length} of ${all.length} are`
      say({ text: `${count} created again.${lost} Refused: ${refused.join(' ')}`, tone: 'bad' })
    } else if (first && all.length === 1) {
      const { old, id } = first
      const open = { title: 'Open', run: () => router.go(recordPath(writer, [...old.ids.slice(0, -1), id])) }
      const noun = writer.noun.replaceAll('-', ' ')
      say({ text: `Created again as ${noun} ${id}; it was ${old.ids.at(-1)}.${lost}`, action: open })
    } else say({ text: `${made.length} created again, each under a new ${identity}.${lost}` })
  }
  return (all) => {
    if (!operations.create || all.length === 0) return {}
    return { action: { title: `Create ${all.length === 1 ? 'it' : 'them'} again`, run: () => recreate(all) } }
  }
}

/** Records that stood below it went with it, and nobody knows them any more. */
function lostOf({ children }: Collection): string {
  const names = children.map(({ title }) => title.toLowerCase())
  return names.length === 0 ? '' : ` Not brought back: ${names.join(', ')}.`
}

/** What is said of it before. */
export function recreateWords({ operations, identity }: Collection, isOne: boolean): string {
  if (!operations.create) return `What belongs to ${isOne ? 'it' : 'them'} goes as well, and nothing brings it back.`
  return isOne
    ? `What belongs to it goes as well. It can be created again, under a new ${identity} and without that.`
    : `What belongs to them goes as well. They can be created again, each under a new ${identity} and without that.`
}
