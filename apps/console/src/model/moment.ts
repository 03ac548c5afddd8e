/** Moments as people read them: in UTC, as the service writes them, and in the time of whoever looks. */

export interface ShownMoment {
  readonly day: string
  readonly time: string
  /** Exactly, and in the time of this place. */
  readonly title: string
}

/** Undefined where the text is no moment. */
export function shownMoment(text: string): ShownMoment | undefined {
  const at = new Date(text)
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) || Number.isNaN(at.getTime())) return undefined
  const [day = '', time = ''] = at.toISOString().split('T')
  return { day, time: time.slice(0, 5), title: `${text}; here ${localText(at)}` }
}

/** By hand: the browser's own words for moments take a tenth of a second to be ready. */
function localText(at: Date): string {
  const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(two).join('-')
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')
  const ahead = -at.getTimezoneOffset()
  const away = Math.abs(ahead)
  return `${day} ${time} (UTC${ahead < 0 ? '-' : '+'}${two(Math.floor(away / 60))}:${two(away % 60)})`
}

function two(part: number): string {
  return `${part}`.padStart(2, '0')
}
