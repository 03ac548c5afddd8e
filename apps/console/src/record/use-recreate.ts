/** Undoes a delete: creates the records again, with new IDs and without their children. */
import { forEachConcurrently } from '../bulk/for-each-concurrently.ts'
import { text } from '../language/language.ts'
import { recordPath } from '../model/address.ts'
import { problemText } from '../model/advice.ts'
import { formOf } from '../model/record/form.ts'
import { wholeBody } from '../model/record/values.ts'
import type { Json } from '../model/service/openapi.ts'
import type { Collection } from '../model/service/service.ts'
import { nounText } from '../model/words.ts'
import { useConsole } from '../wire/console-context.ts'
import { recordFrom, useInvalidate } from '../wire/data.ts'
import { router } from '../wire/router.ts'

export interface Deleted {
  /** The IDs of its path; the last one is its own. */
  readonly ids: readonly unknown[]
  readonly record: Json
}

/** The Undo action for the message after a delete; empty if the service cannot create records. */
export function useRecreate(
  writeCollection: Collection,
): (all: readonly Deleted[]) => { readonly action?: { readonly title: string; readonly run: () => void } } {
  const { wire, notify } = useConsole()
  const invalidate = useInvalidate()
  const { operations, identity } = writeCollection
  const recreate = async (all: readonly Deleted[]) => {
    const created: { readonly old: Deleted; readonly id: unknown }[] = []
    const refused: string[] = []
    await forEachConcurrently(all, async (old) => {
      const path = recordPath(writeCollection, old.ids).replace(/\/[^/]*$/, '')
      const body = wholeBody(formOf(writeCollection, 'create').fields, old.record)
      try {
        const { body: responseBody } = await wire.send({ base: writeCollection.api.base, method: 'POST', path, body })
        created.push({ old, id: recordFrom(writeCollection, responseBody)[identity] })
      } catch (error) {
        refused.push(`${old.ids.at(-1)}: ${problemText(error)}`)
      }
    })
    await invalidate(writeCollection)
    const [first] = created
    const { restored, restoredSeveral, restoreFailed } = text().record
    if (refused.length > 0) {
      notify({ text: restoreFailed(created.length, all.length, refused.join(' ')), tone: 'error' })
    } else if (first && all.length === 1) {
      const { old, id } = first
      const path = recordPath(writeCollection, [...old.ids.slice(0, -1), id])
      const action = { title: text().common.open, run: () => router.go(path) }
      notify({ text: restored(nounText(writeCollection), id, old.ids.at(-1), childNouns(writeCollection)), action })
    } else notify({ text: restoredSeveral(created.length, childNouns(writeCollection)) })
  }
  return (all) => {
    if (!operations.create || all.length === 0) return {}
    return { action: { title: text().record.restore, run: () => recreate(all) } }
  }
}

/** The child records of a deleted record are deleted with it and cannot be restored. Links only end. */
function childNouns({ children }: Collection): readonly string[] {
  return children.filter(({ operations }) => operations.create).map(nounText)
}

/** The warning before records are deleted. */
export function deleteWarning(writeCollection: Collection, count: number): string {
  return text().record.deleteWarning(
    childNouns(writeCollection),
    writeCollection.operations.create !== undefined,
    count,
  )
}
