/** Presets of time for a filter, such as the last 7 days. The URL keeps the name, so that a saved view stays current. */
import type { FieldKind } from '../record/field.ts'

export const presets = ['today', 'last-7-days', 'last-30-days', 'this-month'] as const

export type Preset = (typeof presets)[number]

export function isPreset(value: string | undefined): value is Preset {
  return presets.some((preset) => preset === value)
}

/** The first day of a preset, as the value of a parameter of this kind. Days begin at midnight UTC. */
export function presetStart(preset: Preset, kind: FieldKind | undefined, now = new Date()): string {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  const firstDays = { today: day, 'last-7-days': day - 6, 'last-30-days': day - 29, 'this-month': 1 }
  return boundOf(new Date(Date.UTC(year, month, firstDays[preset])).toISOString().slice(0, 10), kind)
}

/** The value of a bound that begins with a day. */
export function boundOf(day: string, kind: FieldKind | undefined): string {
  return kind === 'date' ? day : `${day}T00:00:00.000Z`
}
