/** The sunset of an operation: the announced day of its removal. */
import type { AddChange } from './change-collector.ts'
import { below, type Location, objectAt } from './location.ts'

/** From `x-nomen-deprecation` or the common `x-sunset`, for deprecated operations. */
export function sunsetOf(location: Location): string | undefined {
  const day = sunsetLocation(location)?.value
  const isDay = typeof day === 'string' && /^\d{4}-\d{2}-\d{2}/.test(day)
  return objectAt(location).deprecated === true && isDay ? day.slice(0, 10) : undefined
}

export function compareSunset(old: Location, next: Location, addChange: AddChange): void {
  const [oldSunset, nextSunset] = [sunsetOf(old), sunsetOf(next)]
  if (oldSunset === undefined || oldSunset === nextSunset) return
  const locations = [sunsetLocation(next), next] as const
  const message = nextSunset
    ? `The sunset date changed from ${oldSunset} to ${nextSunset}.`
    : `The sunset date ${oldSunset} was removed.`
  addChange(
    nextSunset !== undefined && nextSunset < oldSunset ? 'sunset-brought-forward' : 'sunset-postponed',
    message,
    ...locations,
  )
}

function sunsetLocation(operation: Location): Location | undefined {
  return below(operation, 'x-nomen-deprecation', 'sunset') ?? below(operation, 'x-sunset')
}
