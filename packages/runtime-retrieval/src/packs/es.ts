import { ES as ES_RELATED } from '../related/es.ts'
import type { Pack } from './pack.ts'

export const ES: Pack = {
  says: {
    greeting: '¡Hola! ¿En qué puedo ayudarle?',
    unknown: 'Lo siento, no sé la respuesta. ¿Puede preguntarlo con otras palabras?',
    offer: 'Lo siento, eso tampoco lo sé. ¿Le pongo con una persona?',
    clarify: '¿Se refiere a «{first}» o a «{second}»?',
    confirm: 'No estoy seguro de entenderle. ¿Se trata de «{first}»?',
    declined: 'De acuerdo. ¿Quiere saber algo más?',
    misunderstood: 'Lo siento, le he entendido mal. ¿Puede preguntarlo con otras palabras?',
    silence: 'No le he entendido. ¿Qué quiere saber?',
    handoff: 'Un momento, le pongo en contacto.',
    closed: 'Ahora mismo no hay nadie.',
    back: 'Volvemos el {time}.',
    leaveMessage: 'Puede dejar un mensaje aquí: mis compañeros lo leerán.',
    messageTaken: 'Gracias. Mis compañeros lo leerán.',
    cutShort: 'Lo siento, mi respuesta se ha cortado aquí.',
    failed: 'Lo siento, no ha funcionado. Inténtelo de nuevo en un momento.',
    eventReceived: 'Gracias por esperar. Hay novedades.',
  },
  smallTalk: [
    [
      '¡Hola! ¿Qué quiere saber?',
      'hola, buenos días, buenas tardes, buenas noches, buenas, buen día, qué hay, hay alguien',
    ],
    [
      'Estoy bien, gracias. ¿Qué puedo hacer por usted?',
      'qué tal, cómo estás, cómo está, cómo está usted, cómo va',
    ],
    [
      'Soy un asistente automático y respondo preguntas. ¿Qué quiere saber?',
      'eres un robot, es usted un robot, eres humano, quién eres, quién es usted, ayuda, me puede ayudar, puedes ayudarme, necesito ayuda, tengo una pregunta',
    ],
    [
      'Bien. ¿Quiere saber algo más?',
      'ok, vale, bien, muy bien, perfecto, genial, estupendo, entendido, de acuerdo, sí, claro',
    ],
    [
      '¡De nada! ¿Quiere saber algo más?',
      'gracias, muchas gracias, mil gracias, muchísimas gracias, muy amable',
    ],
    ['De acuerdo. Aquí estoy si me necesita.', 'no, no gracias, eso es todo, nada, nada más'],
    ['¡Adiós!', 'adiós, hasta luego, hasta pronto, hasta mañana, chao, que tenga un buen día, nos vemos'],
  ],
  fillers:
    'por favor, usted, tú, y, pero, entonces, pues, ya, muy, también, a todos, todos, señor, señora, por su ayuda',
  yes: 'sí, si, claro, por supuesto, vale, ok, exacto, correcto, eso es, desde luego',
  no: 'no, ninguno, ninguna, ninguno de los dos, no gracias, eso no',
  corrections:
    'eso está mal, mal, no es lo que pregunté, no es mi pregunta, no me has entendido, no me ha entendido, eso no es',
  first: '1, uno, primero, primera, el primero, la primera',
  second: '2, dos, segundo, segunda, el segundo, la segunda, el otro, la otra',
  people:
    'humano, persona, agente, asesor, asesora, empleado, compañero, alguien, responsable, operador, operadora, real, servicio, cliente, atención',
  followUps: 'y, y si, y qué hay de, también, o, pero, entonces',
  references: 'eso, esto, ese, esa, este, esta, lo, la, los, las, él, ella, ello, allí',
  conjunctions: 'y, y también, además, así como',
  commonWords:
    'el, la, los, las, lo, un, una, unos, unas, de, del, al, a, y, e, o, u, pero, si, que, qué, quien, quién, cual, cuál, cuáles, cuando, cuándo, como, cómo, cuanto, cuánto, cuánta, cuántos, cuántas, donde, dónde, por, para, en, con, sin, sobre, entre, hasta, desde, es, son, era, ser, soy, está, están, estoy, estar, hay, he, ha, han, hemos, haber, había, tengo, tiene, tienen, tenemos, tener, tuve, puedo, puede, pueden, podemos, podrían, podría, quiero, quiere, queremos, quisiera, quisiéramos, necesito, debo, debe, hacer, hago, hace, hacen, va, van, voy, ir, yo, me, mí, mi, mis, tú, te, ti, tu, tus, él, ella, ellos, nosotros, nos, nuestro, nuestra, nuestros, usted, ustedes, se, le, les, su, sus, este, esta, esto, estos, ese, esa, eso, esos, no, sí, ni, más, muy, mucho, mucha, todo, toda, todos, todas, algo, alguien, también, ya, aún, todavía, solo, gracias, hola, favor, hoy, mañana, ayer, día, días, año, años',
  related: ES_RELATED,
}
