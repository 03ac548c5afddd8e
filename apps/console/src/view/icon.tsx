/** The icons of the console. */
const drawings = {
  add: 'M12 5v14M5 12h14',
  again: 'M20 11a8 8 0 1 0-2.3 6.5M20 5v6h-6',
  back: 'M15 5l-7 7 7 7',
  bookmark: 'M7 4h10v16l-5-4-5 4z',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  close: 'M6 6l12 12M18 6L6 18',
  columns: 'M4 5h16v14H4zM9.3 5v14M14.7 5v14',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  docs: 'M6 4h8l4 4v12H6zM9.5 12h5M9.5 16h5',
  down: 'M6 9l6 6 6-6',
  download: 'M12 4v11m-5-4l5 5 5-5M5 20h14',
  email: 'M4 6h16v12H4zM4 7l8 6 8-6',
  filter: 'M4 6h16M7 12h10M10 18h4',
  home: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z',
  key: 'M14 10a4 4 0 1 0-3.5 4L12 15.5V18h2.5v2.5H20V17l-5-5',
  language:
    'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM3.5 12h17M12 3.5c5 4.5 5 12.5 0 17M12 3.5c-5 4.5-5 12.5 0 17',
  leave: 'M10 5H5v14h5M14 8l4 4-4 4M9 12h9',
  link: 'M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 6 6l1-1',
  menu: 'M4 7h16M4 12h16M4 17h16',
  moon: 'M20 14A8.5 8.5 0 0 1 10 4a8 8 0 1 0 10 10z',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  open: 'M14 4h6v6M20 4l-9 9M10 5H5v14h14v-5',
  panel: 'M4 5h16v14H4zM14 5v14',
  people: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20q1-6 6.5-6t6.5 6M16 4.5q3 3 0 6M18 15q3 1 3.5 5',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20c1-4 4-5.5 7.5-5.5s6.5 1.5 7.5 5.5',
  pin: 'M9 4h6l-1 6 3 3H7l3-3zM12 13v7',
  requests: 'M8 7l-5 5 5 5M16 7l5 5-5 5M13.5 5l-3 14',
  run: 'M7 5l12 7-12 7z',
  schema: 'M4 4h7v5H4zM13 15h7v5h-7zM7.5 9v8.5H13',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l4.5 4.5',
  star: 'M12 4l2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.1-4 5.7-.8z',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5V5M12 19v2.5M2.5 12H5M19 12h2.5M5.3 5.3L7 7M17 17l1.7 1.7M18.7 5.3L17 7M7 17l-1.7 1.7',
  trash: 'M4 7h16M9 7V4h6v3M6.5 7l1 13h9l1-13M10 11v5M14 11v5',
  up: 'M6 15l6-6 6 6',
  upload: 'M12 16V4.5M7 9l5-5 5 5M5 20h14',
  usage: 'M4 20V4M4 20h16M8 16v-4M12.5 16V8M17 16v-6',
}

export type IconName = keyof typeof drawings

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' ? 3 : 1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={drawings[name]} />
    </svg>
  )
}
