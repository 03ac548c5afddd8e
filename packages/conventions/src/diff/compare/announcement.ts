/** Compares what a document announces for an operation or a webhook: its deprecation, its sunset and its operationId. */
import type { AddChange } from '../change-collector.ts'
import { below, type Location, objectAt } from '../location.ts'
import { capitalize } from '../report/remark.ts'
import { compareSunset } from '../sunset.ts'

/** `name` is the subject in messages: `It`, or `the webhook user.created`. */
export function compareAnnouncement(
  old: Location,
  next: Location,
  name: string,
  addChange: AddChange,
  hasSameVersion = true,
): void {
  compareSunset(old, next, addChange)
  const [oldObject, nextObject] = [objectAt(old), objectAt(next)]
  if (nextObject.deprecated === true && oldObject.deprecated !== true)
    addChange('operation-deprecated', `${capitalize(name)} became deprecated.`, below(next, 'deprecated'))
  if (oldObject.deprecated === true && nextObject.deprecated !== true)
    addChange('operation-undeprecated', `${capitalize(name)} is no longer deprecated.`, next)
  const [before, after] = [oldObject.operationId, nextObject.operationId].map((id) =>
    typeof id === 'string' ? id : 'none',
  )
  if (before !== after && hasSameVersion) {
    const message = `The operationId${name === 'It' ? '' : ` of ${name}`} changed from ${before} to ${after}.`
    addChange('operation-id-changed', message, below(next, 'operationId'), next)
  }
}
