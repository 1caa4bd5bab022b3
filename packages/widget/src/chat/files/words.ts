/** Texts about files, of which most sites need none. */
const en = {
  attach: 'Attach a file',
  remove: 'Remove {name}',
  download: 'Download {name}',
  type: '{name}: files of this type cannot be sent.',
  size: '{name} is too large. At most {n} MB can be sent.',
  many: 'At most {n} files fit into a message.',
  wrong: '{name} cannot be sent: it is damaged, or not what its name says.',
  full: '{name} cannot be sent: this conversation has no room for more files.',
  lost: '{name} was not sent. Try again.',
  gone: '{name} is no longer there.',
}

export type FileWords = { readonly [Key in keyof typeof en]: string }

const LANGUAGES: Readonly<Record<string, FileWords>> = {
  en,
  de: {
    attach: 'Datei anhängen',
    remove: '{name} entfernen',
    download: '{name} herunterladen',
    type: '{name}: Dateien dieser Art können nicht gesendet werden.',
    size: '{name} ist zu groß. Höchstens {n} MB können gesendet werden.',
    many: 'In eine Nachricht passen höchstens {n} Dateien.',
    wrong: '{name} kann nicht gesendet werden: beschädigt oder nicht das, was der Name sagt.',
    full: '{name} kann nicht gesendet werden: Diese Unterhaltung hat keinen Platz für weitere Dateien.',
    lost: '{name} wurde nicht gesendet. Versuchen Sie es noch einmal.',
    gone: '{name} ist nicht mehr vorhanden.',
  },
  fr: {
    attach: 'Joindre un fichier',
    remove: 'Retirer {name}',
    download: 'Télécharger {name}',
    type: '{name} : ce type de fichier ne peut pas être envoyé.',
    size: '{name} est trop volumineux. {n} Mo au maximum.',
    many: '{n} fichiers au maximum par message.',
    wrong: '{name} ne peut pas être envoyé : il est endommagé ou n’est pas ce que dit son nom.',
    full: '{name} ne peut pas être envoyé : plus de place pour des fichiers dans cette conversation.',
    lost: '{name} n’a pas été envoyé. Réessayez.',
    gone: '{name} n’existe plus.',
  },
  es: {
    attach: 'Adjuntar un archivo',
    remove: 'Quitar {name}',
    download: 'Descargar {name}',
    type: '{name}: no se pueden enviar archivos de este tipo.',
    size: '{name} es demasiado grande. Como máximo {n} MB.',
    many: 'Como máximo {n} archivos por mensaje.',
    wrong: '{name} no se puede enviar: está dañado o no es lo que dice su nombre.',
    full: '{name} no se puede enviar: no caben más archivos en esta conversación.',
    lost: '{name} no se ha enviado. Inténtelo de nuevo.',
    gone: '{name} ya no existe.',
  },
  ar: {
    attach: 'إرفاق ملف',
    remove: 'إزالة {name}',
    download: 'تنزيل {name}',
    type: '{name}: لا يمكن إرسال ملفات من هذا النوع.',
    size: '{name} كبير جدًا. الحد الأقصى {n} ميغابايت.',
    many: 'الحد الأقصى {n} ملفات في الرسالة.',
    wrong: 'لا يمكن إرسال {name}: الملف تالف أو ليس كما يقول اسمه.',
    full: 'لا يمكن إرسال {name}: لا مكان لملفات أخرى في هذه المحادثة.',
    lost: 'لم يُرسل {name}. حاول مرة أخرى.',
    gone: '{name} لم يعد موجودًا.',
  },
}

/** Returns the words of a language; those of English where there are none. */
export const fileWords = (language: string): FileWords => LANGUAGES[language.split('-')[0] ?? ''] ?? en
