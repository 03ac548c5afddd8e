/** Formats numbers, durations and sizes for people. */

/** `1,234,567`. */
export function numberText(count: number): string {
  return count.toLocaleString('en-US')
}

/** `1 record`, `2 records`. */
export function countText(count: number, unit: string): string {
  return `${numberText(count)} ${unit}${count === 1 ? '' : 's'}`
}

/** `0.4 s`, `7 s`, `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function duration(seconds: number): string {
  if (seconds < 9.95 && !Number.isInteger(seconds)) return `${seconds.toFixed(1)} s`
  const wholeSeconds = Math.round(seconds)
  if (wholeSeconds < 60) return `${wholeSeconds} s`
  if (wholeSeconds < 3600) return `${Math.floor(wholeSeconds / 60)} min ${wholeSeconds % 60} s`
  return `${Math.floor(wholeSeconds / 3600)} h ${Math.floor((wholeSeconds % 3600) / 60)} min`
}

/** `512 B`, `1.5 KiB`, `20 MiB`, `3.2 GiB`. */
export function byteSize(bytes: number): string {
  let [size, unit] = [bytes, 'B']
  for (const next of ['KiB', 'MiB', 'GiB', 'TiB']) if (size >= 1024) [size, unit] = [size / 1024, next]
  return `${size < 9.95 && unit !== 'B' ? size.toFixed(1) : Math.round(size)} ${unit}`
}
