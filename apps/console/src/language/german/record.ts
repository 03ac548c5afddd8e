/** Records in German. */
import type { Messages } from '../english/english.ts'
import type { Format } from '../format.ts'
import { capitalized } from './noun.ts'

export function recordMessages({ number, plural, and, or }: Format): Messages['record'] {
  const records = (count: number, noun: string) =>
    `${number(count)} ${plural(count, { one: 'Datensatz', other: 'Datensätze' })} (${noun})`
  return {
    atLeast: (count) => `Mindestens ${count}`,
    backTo: (title) => `Zurück zu ${title}`,
    conflict: 'Ihre Änderungen sind noch nicht gespeichert. Wählen Sie für jedes Feld einen Wert:',
    conflictDiscard: 'Meine Änderungen verwerfen',
    conflictField: 'Feld',
    conflictMerge: 'Zusammenführen',
    conflictMine: 'Von Ihnen',
    conflictOverwrite: 'Überschreiben',
    conflictTheirs: 'Von anderen',
    conflictTitle: 'Jemand anderes hat diesen Datensatz geändert',
    create: 'Anlegen',
    createAnother: 'Anlegen und neu',
    createReference: (noun, typed) =>
      typed === '' ? `${capitalized(noun)} anlegen …` : `${capitalized(noun)} „${typed}“ anlegen …`,
    created: (name) => `${name} angelegt.`,
    copyOf: 'Kopie von',
    createdAddNext: (name) => `${name} angelegt. Sie können den nächsten Datensatz eingeben.`,
    defaultFrom: (field) => `Wie ${field}`,
    deleted: (name) => `${name} gelöscht.`,
    deleteQuestion: (noun, name) => `${capitalized(noun)} „${name}“ löschen?`,
    deleteWarning: (undo, count) => {
      if (undo === 'nothing') return 'Das lässt sich nicht rückgängig machen.'
      if (undo === 'everything') return 'Sie können es rückgängig machen.'
      return plural(count, {
        one: 'Sie können den Datensatz danach wiederherstellen, mit neuer ID.',
        other: 'Sie können die Datensätze danach wiederherstellen, mit neuen IDs.',
      })
    },
    dependentRecords: (count, noun, field) =>
      records(count, field === undefined ? capitalized(noun) : `${capitalized(noun)}, ${field}`),
    dependentsTitle: (count) => plural(count, { one: 'Verwendet von:', other: 'Zusammen verwendet von:' }),
    derived: (noun, through) =>
      through === undefined
        ? `Schreibgeschützt: ${capitalized(noun)} ist über andere Datensätze zugeordnet.`
        : `Schreibgeschützt: ${capitalized(noun)} ist über ${capitalized(through)} zugeordnet. Ändern Sie stattdessen ${capitalized(through)}.`,
    derivedRecord: (noun) => `${capitalized(noun)} wird gemeinsam verwendet und ist hier schreibgeschützt.`,
    discard: 'Verwerfen',
    drawerBack: 'Zurück zum vorigen Datensatz',
    drawerPosition: (position, count) => `${number(position)} von ${number(count)}`,
    duplicate: 'Duplizieren',
    example: (value) => `Beispiel: ${value}`,
    inUtc: 'In UTC',
    inLocalTime: 'In Ortszeit',
    localTime: (time) => `In UTC. Ortszeit: ${time}`,
    utcTime: (time) => `In Ortszeit. In UTC: ${time}`,
    now: 'Jetzt',
    link: (count) => (count > 1 ? `${number(count)} Datensätze verknüpfen` : 'Verknüpfen'),
    linkChoose: (noun) => `${capitalized(noun)} wählen`,
    linked: (names, count, noun, to) =>
      `${names.length === count ? and(names) : records(count, capitalized(noun))} mit ${to} verknüpft.`,
    linkOne: (noun) => `${capitalized(noun)} verknüpfen`,
    nextRecord: 'Nächster Datensatz',
    newRecord: (noun) => `${capitalized(noun)} anlegen`,
    nothingFound: 'Nichts gefunden.',
    noDependents: (_count) => 'Wird nirgends verwendet.',
    notFound: (name) => `${name} nicht gefunden`,
    noValue: 'Kein Wert',
    notBoolean: 'Geben Sie true oder false ein.',
    notChoice: (choices) => `Geben Sie ${or(choices)} ein.`,
    notDate: 'Geben Sie ein Datum ein, etwa 2026-12-31.',
    notDecimal: 'Geben Sie eine Dezimalzahl ein, etwa 12.50.',
    notEmail: 'Geben Sie eine E-Mail-Adresse ein, etwa ada@example.com.',
    notInteger: 'Geben Sie eine ganze Zahl ein.',
    notJson: 'Geben Sie gültiges JSON ein: ein Objekt, etwa {"a": 1}, oder eine Liste, etwa [1, 2].',
    notNumber: 'Geben Sie eine Zahl ein.',
    notTime: 'Geben Sie Datum und Uhrzeit ein, etwa 2026-12-31T23:59:00Z.',
    notUrl: 'Geben Sie eine URL ein, etwa https://example.com.',
    openList: 'Als Liste öffnen',
    openReference: (noun) => `${capitalized(noun)} öffnen`,
    openPage: 'Seite öffnen',
    openUrl: 'URL öffnen',
    openShared: (noun) => `${capitalized(noun)} öffnen`,
    optionsShown: (shown, all) => `${number(shown)} von ${number(all)} angezeigt`,
    ownedRecords: (count, noun) =>
      `${records(count, capitalized(noun))}, ${plural(count, { one: 'wird', other: 'werden' })} mitgelöscht`,
    pickColor: (field) => `Farbe wählen für ${field}`,
    previousRecord: 'Voriger Datensatz',
    readOnly: 'Details',
    related: 'Zugehörige Datensätze',
    relatedBy: (plural, field) => `${plural} (${field})`,
    required: (field) => `${field} ist erforderlich.`,
    restore: 'Rückgängig',
    restored: (noun, id) => `${capitalized(noun)} ${id} wurde wiederhergestellt.`,
    restoredAll: (count) => `${number(count)} wiederhergestellt.`,
    restoredAs: (noun, id, oldId, children) =>
      `Wiederhergestellt als ${capitalized(noun)} ${id} (vorher ${oldId})${without(children)}.`,
    restoredSeveral: (count, children) => `${number(count)} mit neuen IDs wiederhergestellt${without(children)}.`,
    restoreFailed: (count, all, reasons) =>
      all === 1
        ? `Nicht wiederhergestellt: ${reasons}`
        : `${number(count)} von ${number(all)} wiederhergestellt. Fehlgeschlagen: ${reasons}`,
    sameOnly: (fields) => `Nur Datensätze mit gleichem Wert zeigen: ${and(fields)}`,
    save: 'Speichern',
    saved: (name) => `${name} gespeichert.`,
    systemFields: 'Systemfelder (schreibgeschützt)',
    tooEarly: (minimum) => `Nicht vor ${minimum}.`,
    tooLarge: (maximum) => `Höchstens ${maximum}.`,
    tooLate: (maximum) => `Nicht nach ${maximum}.`,
    tooLong: (maximum, length) => `Höchstens ${number(maximum)} Zeichen, nicht ${number(length)}.`,
    tooShort: (minimum) => `Mindestens ${number(minimum)} Zeichen.`,
    tooSmall: (minimum) => `Mindestens ${minimum}.`,
    unknownLinks: (noun) => `Verknüpft: ${capitalized(noun)} (Anzahl unbekannt)`,
    unsaved: (fields) => `Nicht gespeichert: ${fields.join(', ')}`,
    writeEmail: 'E-Mail schreiben',
    wrongPattern: (pattern) => `Muss dem Muster ${pattern} entsprechen.`,
  }

  function without(children: readonly string[]): string {
    return children.length === 0 ? '' : `, ohne ${names(children)}`
  }

  function names(children: readonly string[]): string {
    return and(children.map(capitalized))
  }
}
