/** Records in German. */
import type { Messages } from '../english/english.ts'
import type { Format } from '../format.ts'
import { capitalized } from './noun.ts'

export function recordMessages({ number, plural, and }: Format): Messages['record'] {
  return {
    conflict: 'Ihre Änderungen sind noch nicht gespeichert. Diese Felder weichen vom gespeicherten Datensatz ab:',
    conflictDiscard: 'Meine Änderungen verwerfen',
    conflictField: 'Feld',
    conflictMerge: 'Zusammenführen',
    conflictMine: 'In Ihrem Formular',
    conflictOverwrite: 'Überschreiben',
    conflictTheirs: 'Jetzt gespeichert',
    conflictTitle: 'Jemand anderes hat diesen Datensatz geändert',
    create: 'Anlegen',
    createAnother: 'Anlegen und neu',
    created: (name) => `${name} angelegt.`,
    createdAddNext: (name) => `${name} angelegt. Sie können den nächsten Datensatz eingeben.`,
    defaultFrom: (field) => `Wie ${field}`,
    deleted: (name) => `${name} gelöscht.`,
    deleteQuestion: (noun) => `${capitalized(noun)} löschen?`,
    deleteWarning: (children, undo, count) => {
      const also = children.length === 0 ? '' : `Auch zugehörige Datensätze werden gelöscht: ${names(children)}. `
      if (undo === 'nothing') return `${also}Das lässt sich nicht rückgängig machen.`
      if (undo === 'everything') return `${also}Sie können es rückgängig machen.`
      return (
        also +
        plural(count, {
          one: 'Sie können den Datensatz danach wiederherstellen, mit neuer ID.',
          other: 'Sie können die Datensätze danach wiederherstellen, mit neuen IDs.',
        })
      )
    },
    discard: 'Verwerfen',
    duplicate: 'Duplizieren',
    example: (value) => `Beispiel: ${value}`,
    inUtc: 'In UTC',
    link: 'Verknüpfen',
    linkChoose: (noun) => `${capitalized(noun)} wählen`,
    linked: (noun) => `${capitalized(noun)} verknüpft.`,
    linkOne: (noun) => `${capitalized(noun)} verknüpfen`,
    more: 'Es gibt weitere: Tippen Sie, um sie zu finden.',
    moreHidden: 'Es gibt mehr, als hier angezeigt werden.',
    newRecord: (noun) => `${capitalized(noun)} anlegen`,
    nothingFound: 'Nichts gefunden.',
    noValue: 'Kein Wert',
    readOnly: 'Details',
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
    sameOnly: (fields) => `Nur mit gleichem Wert: ${and(fields)}`,
    save: 'Speichern',
    saved: (name) => `${name} gespeichert.`,
    systemFields: 'Systemfelder (schreibgeschützt)',
    tooEarly: (minimum) => `Nicht vor ${minimum}.`,
    tooLarge: (maximum) => `Höchstens ${maximum}.`,
    tooLate: (maximum) => `Nicht nach ${maximum}.`,
    tooLong: (maximum, length) => `Höchstens ${number(maximum)} Zeichen, nicht ${number(length)}.`,
    tooShort: (minimum) => `Mindestens ${number(minimum)} Zeichen.`,
    tooSmall: (minimum) => `Mindestens ${minimum}.`,
    unsaved: (fields) => `Nicht gespeichert: ${fields.join(', ')}`,
    wrongPattern: (pattern) => `Muss dem Muster ${pattern} entsprechen`,
  }

  function without(children: readonly string[]): string {
    return children.length === 0 ? '' : `, ohne ${names(children)}`
  }

  function names(children: readonly string[]): string {
    return and(children.map(capitalized))
  }
}
