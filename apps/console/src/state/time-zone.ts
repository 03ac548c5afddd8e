/** The time zone that times are shown and entered in: UTC, as the service writes them, or that of the browser. */

import { useSyncExternalStore } from 'react'
import { Listeners } from '../listeners.ts'
import { readPreference, writePreference } from './preference.ts'

export type TimeZone = 'utc' | 'local'

const key = 'time-zone'
const listeners = new Listeners()
let current: TimeZone = readPreference<TimeZone>(key, 'utc') === 'local' ? 'local' : 'utc'

export function chooseTimeZone(zone: TimeZone): void {
  current = zone
  writePreference(key, zone === 'utc' ? undefined : zone)
  listeners.notify()
}

/** The component renders again when the user chooses another zone. */
export function useTimeZone(): TimeZone {
  return useSyncExternalStore(listeners.subscribe, () => current)
}
