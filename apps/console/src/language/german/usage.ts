/** The usage of the service in German. */
import type { Messages } from '../english/english.ts'
import type { Format } from '../format.ts'

const filters: { readonly [verdict: string]: string } = {
  all: 'Alle Endpunkte',
  'in use': 'In Gebrauch',
  quiet: 'Ruhig',
  'never called': 'Nie aufgerufen',
  ready: 'Kann entfallen',
}

export function usageMessages({ number, plural, day, time }: Format): Messages['usage'] {
  const moment = (text: string) => `${day(text)} ${time(text)}`
  return {
    caller: 'Aufrufer',
    callers: 'Aufrufer',
    callerUser: (name) => `Benutzer ${name}`,
    callerOthers: 'andere',
    callerUnknown: 'unbekannter Aufrufer',
    cell: (shown, caller, count, endpoint) =>
      `${shown} ${plural(count, { one: 'Anfrage', other: 'Anfragen' })} von ${caller} an ${endpoint}`,
    coverage: (requests, first, last, days) =>
      `Gesamter Zeitraum: ${number(requests)} ${plural(requests, { one: 'Anfrage', other: 'Anfragen' })} von ${moment(first)} bis ${moment(last)} UTC. ` +
      `Ruhig heißt: seit ${number(days)} ${plural(days, { one: 'Tag', other: 'Tagen' })} nicht aufgerufen.`,
    deprecated: 'Veraltet',
    endpoint: 'Endpunkt',
    endpoints: (count) => `${number(count)} ${plural(count, { one: 'Endpunkt', other: 'Endpunkte' })}`,
    endpointsOf: (path) => `Endpunkte von ${path}`,
    errors: 'Fehler',
    export: 'Exportieren',
    filter: (verdict, count) => `${filters[verdict] ?? verdict} ${number(count)}`,
    first: 'Erste',
    gaps: (days, more) =>
      `Der Dienst lief nicht oder zählte nicht an diesen Tagen: ${days.map(day).join(', ')}` +
      `${more > 0 ? ` und ${number(more)} ${plural(more, { one: 'weiterer', other: 'weitere' })}` : ''}.`,
    gone: 'Entfernt (410)',
    heatMap: 'Endpunkte nach Aufrufern',
    inUse: 'In Gebrauch',
    inUseBy: (callers, more) => `Genutzt von ${callers.join(', ')}${more > 0 ? `, ${number(more)} weiteren` : ''}`,
    last: 'Letzte',
    lastDays: (days) => `${number(days)} Tage`,
    neverCalled: 'Nie aufgerufen',
    noRequests: 'Der Dienst hat noch keine Anfragen gezählt.',
    nothingFound: 'Kein Endpunkt passt.',
    nothingReady: 'Kein veralteter Endpunkt ist ohne Aufrufe.',
    notEnoughData: (days) =>
      `Die Daten decken keine ${number(days)} Tage ohne Lücken ab. Sie zeigen daher nicht, welche Endpunkte nicht mehr aufgerufen werden.`,
    noRequestsHere: 'An diesen Tagen wurden keine Anfragen gezählt.',
    onDay: (date, count) => `${day(date)}: ${number(count)}`,
    others: (count) =>
      `${number(count)} dieser Anfragen ${plural(count, { one: 'gehört', other: 'gehören' })} zu keinem Endpunkt dieses Dienstes.`,
    otherCallers: 'Übrige',
    peak: (title, most) => `${title}, Maximum ${number(most)}`,
    quietSince: (last) => `Ruhig seit ${day(last)}`,
    range: 'Angezeigte Tage',
    requests: 'Anfragen',
    requestsByDay: 'Anfragen pro Tag',
    sunset: (date) => `entfällt am ${day(date)}`,
    since: (date) => `seit ${day(date)}`,
    successor: (path) => `siehe ${path}`,
    search: 'Endpunkte suchen',
    showConsole: 'Anfragen der Konsole einbeziehen',
    shown: 'Angezeigte Endpunkte',
    status: 'Status',
    trend: 'Verlauf',
    unavailable: 'Nutzungsdaten sind nicht verfügbar',
    unavailableNote:
      'Dieser Dienst bietet /usage nicht an. Sein Betreiber kann das Zugriffslog auswerten: nomen usage data/access.log --format html',
    unreadable: (count) =>
      `${number(count)} ${plural(count, { one: 'Eintrag war', other: 'Einträge waren' })} nicht lesbar.`,
    wholePeriod: 'Gesamter Zeitraum',
  }
}
