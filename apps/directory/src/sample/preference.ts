/** The preferences of the sample: none for some users, several for others, every type for user 1. */
import { names } from './name.ts'
import { draw } from './random.ts'

const flags = ['newsletter', 'desktopNotification', 'weeklyDigest', 'compactList']

const choices: Record<string, readonly string[]> = {
  language: ['en', 'de', 'fr', 'pl', 'pt-BR', 'tr', 'vi', 'zh-Hans'],
  timeZone: ['Europe/Berlin', 'Europe/London', 'America/New_York', 'Asia/Kolkata', 'Australia/Melbourne'],
  theme: ['light', 'dark', 'system'],
  dateFormat: ['yyyy-MM-dd', 'dd/MM/yyyy', 'MM/dd/yyyy', "d 'de' MMMM"],
}

export function* preferenceRows(numberOfUsers: number) {
  const nameOf = names()
  let id = 0
  for (let user = 1; user <= numberOfUsers; user += 1) {
    for (const setting of settingsOf(user, () => nameOf(user))) yield { id: ++id, user, ...setting }
  }
}

function* settingsOf(user: number, name: () => { firstName: string; lastName: string }) {
  const random = draw('preference', user)
  const all = user === 1
  if (user === 3 || (!all && random.chance(0.3))) return
  for (const type of flags) {
    if (all || random.chance(0.4)) yield { type, enabled: random.chance(0.6), value: null }
  }
  for (const [type, values] of Object.entries(choices)) {
    if (all || random.chance(0.35)) yield { type, enabled: null, value: random.oneOf(values) }
  }
  if (all || random.chance(0.1)) {
    const { firstName, lastName } = name()
    yield { type: 'signature', enabled: null, value: `Kind regards,\n"${firstName}" ${lastName} ☕` }
  }
}
