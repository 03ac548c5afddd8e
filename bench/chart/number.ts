/** Formats numbers with a reasonable number of digits. */

export function wholeNumber(value: number): string {
  return Math.round(value).toLocaleString('en')
}

/** Three digits below a thousand: `0.34`, `7.25`, `48.1`, `512`; then integers. */
export function short(value: number): string {
  if (value >= 100 || value === 0) return wholeNumber(value)
  if (value >= 10) return value.toFixed(1)
  return value >= 0.1 ? value.toFixed(2) : value.toPrecision(2)
}

/** Powers of ten in words: `1 thousand`, `10 million`. */
export function inWords(value: number): string {
  if (value >= 1e6) return `${value / 1e6} million`
  return value >= 1000 ? `${value / 1000} thousand` : `${value}`
}
