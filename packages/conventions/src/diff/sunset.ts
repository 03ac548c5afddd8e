/** The day on which an operation goes, as callers are told. */
import type { Note } from './ledger.ts'
import type { Operation } from './operation.ts'
import { below, objectAt, type Place } from './place.ts'

/** In `x-nomen-deprecation`, or in the `x-sunset` that others use. Only what is deprecated has one. */
export function sunsetOf({ place }: Operation): string | undefined {
  const day = sunsetPlace(place)?.value
  const isDay = typeof day === 'string' && /^\d{4}-\d{2}-\d{2}/.test(day)
  return objectAt(place).deprecated === true && isDay ? day.slice(0, 10) : undefined
}

export function compareSunset(old: Operation, next: Operation, note: Note): void {
  const [was, is] = [sunsetOf(old), sunsetOf(next)]
  if (was === undefined || was === is) return
  const places = [sunsetPlace(next.place), next.place] as const
  if (is !== undefined && is < was) note('sunset-brought-forward', `It was to go on ${was}, goes on ${is}.`, ...places)
  else note('sunset-put-off', `It was to go on ${was}, ${is ? `goes on ${is}` : 'stays'}.`, ...places)
}

function sunsetPlace(operation: Place): Place | undefined {
  return below(operation, 'x-nomen-deprecation', 'sunset') ?? below(operation, 'x-sunset')
}
