/** Numbers for people: as many figures as tell something. */

export function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}

/** Three figures below a thousand: `0.34`, `7.25`, `48.1`, `512`; then whole ones. */
export function short(value: number): string {
  if (value >= 100 || value === 0) return whole(value)
  if (value >= 10) return value.toFixed(1)
  return value >= 0.1 ? value.toFixed(2) : value.toPrecision(2)
}

/** `1 thousand`, `10 million`: the words of a power of ten. */
export function inWords(value: number): string {
  if (value >= 1e6) return `${value / 1e6} million`
  return value >= 1000 ? `${value / 1000} thousand` : `${value}`
}
