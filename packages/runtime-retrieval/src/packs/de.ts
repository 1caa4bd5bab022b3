import { DE as DE_RELATED } from '../related/de.ts'
import type { Pack } from './pack.ts'

export const DE: Pack = {
  says: {
    greeting: 'Guten Tag! Wie kann ich Ihnen helfen?',
    unknown: 'Das weiß ich leider nicht. Können Sie es anders formulieren?',
    offer: 'Auch das weiß ich leider nicht. Soll ich Sie mit einem Menschen verbinden?',
    clarify: 'Meinen Sie „{first}“ oder „{second}“?',
    confirm: 'Ich bin nicht ganz sicher, was Sie meinen. Geht es um „{first}“?',
    declined: 'In Ordnung. Möchten Sie sonst noch etwas wissen?',
    misunderstood: 'Entschuldigung, das habe ich falsch verstanden. Können Sie es anders formulieren?',
    silence: 'Das habe ich nicht verstanden. Was möchten Sie wissen?',
    handoff: 'Einen Moment, ich verbinde Sie.',
    closed: 'Gerade ist niemand da.',
    back: 'Ab {time} ist wieder jemand für Sie da.',
    leaveMessage: 'Sie können hier eine Nachricht hinterlassen, meine Kollegen lesen sie.',
    messageTaken: 'Vielen Dank. Meine Kollegen lesen das.',
    cutShort: 'Meine Antwort wurde hier leider abgeschnitten.',
    failed: 'Das hat leider nicht geklappt. Bitte versuchen Sie es gleich noch einmal.',
    eventReceived: 'Danke, dass Sie gewartet haben. Es gibt etwas Neues.',
  },
  smallTalk: [
    [
      'Guten Tag! Was möchten Sie wissen?',
      'hallo, hi, hey, guten tag, guten morgen, guten abend, guten mittag, grüß gott, grüezi, servus, moin, moin moin, tag, morgen, hallöchen, ist da jemand',
    ],
    [
      'Mir geht es gut, danke. Was kann ich für Sie tun?',
      "wie geht es dir, wie geht es ihnen, wie geht's, wie gehts, alles klar bei dir",
    ],
    [
      'Ich bin ein automatischer Assistent und beantworte Fragen. Was möchten Sie wissen?',
      'bist du ein mensch, bist du ein roboter, bist du ein bot, sind sie ein mensch, sind sie ein roboter, wer bist du, wer sind sie, was kannst du, hilfe, kannst du mir helfen, können sie mir helfen, ich brauche hilfe, ich habe eine frage',
    ],
    [
      'Gut. Möchten Sie sonst noch etwas wissen?',
      'ok, okay, gut, alles klar, super, prima, toll, perfekt, verstanden, verstehe, in ordnung, passt, ja, genau, wunderbar',
    ],
    [
      'Gern geschehen! Möchten Sie sonst noch etwas wissen?',
      'danke, danke schön, dankeschön, vielen dank, herzlichen dank, besten dank, tausend dank, merci, danke sehr',
    ],
    [
      'In Ordnung. Ich bin da, wenn Sie noch etwas brauchen.',
      'nein, nein danke, das war alles, das ist alles, nichts, nichts mehr, schon gut',
    ],
    [
      'Auf Wiedersehen!',
      'tschüss, tschüs, auf wiedersehen, ciao, bis bald, bis dann, gute nacht, schönen tag, schönen tag noch, einen schönen tag, ade',
    ],
  ],
  fillers:
    'bitte, sie, du, so, sehr, auch, noch, nochmal, dann, also, ach, na, und, aber, alle, zusammen, mal, doch, denn, dir, ihnen, kurze frage, ihr',
  yes: 'ja, jo, jawohl, klar, gern, gerne, genau, richtig, stimmt, ok, okay, bitte, natürlich, sicher, auf jeden fall',
  no: 'nein, nee, nö, keins, keines, keines von beiden, weder noch, nein danke, nicht das',
  corrections:
    'das ist falsch, falsch, das war nicht meine frage, das meinte ich nicht, das habe ich nicht gefragt, du verstehst mich nicht, sie verstehen mich nicht',
  first: '1, eins, erste, erstes, das erste, die erste, der erste, ersteres',
  second: '2, zwei, zweite, zweites, das zweite, die zweite, der zweite, letzteres, das andere',
  people:
    'mensch, menschen, person, mitarbeiter, mitarbeiterin, berater, beraterin, kollege, kollegin, jemand, jemanden, jemandem, echten, echter, chef, kundendienst, kundenservice, ansprechpartner, verbinden',
  followUps: 'und, und was ist mit, was ist mit, wie ist es mit, auch, oder, aber, dann',
  references: 'es, das, dies, diese, diesen, dieser, er, sie, ihn, dort, da, dafür, davon',
  conjunctions: 'und, und auch, sowie, außerdem',
  commonWords:
    'der, die, das, den, dem, des, ein, eine, einen, einem, einer, eines, und, oder, aber, wenn, weil, dass, ob, als, wie, so, zu, zum, zur, im, in, an, am, auf, aus, bei, beim, mit, von, vom, für, über, unter, um, nach, vor, bis, ab, ohne, durch, gegen, ich, mich, mir, mein, meine, meinen, meinem, meiner, du, dich, dir, dein, deine, er, sie, es, ihn, ihm, ihr, ihre, ihren, ihrem, wir, uns, unser, unsere, unseren, euch, euer, ihnen, man, sich, dieser, diese, dieses, diesen, jener, da, dort, hier, ist, sind, war, waren, bin, bist, sein, wird, werden, wurde, habe, hab, hat, haben, hatte, kann, können, könnte, könnten, könntest, muss, müssen, darf, dürfen, soll, sollen, will, wollen, möchte, möchten, würde, würden, hätte, hätten, gibt, geht, gehen, machen, mache, macht, tun, bekomme, brauche, brauchen, wissen, sagen, fragen, nicht, kein, keine, keinen, ja, nein, was, wer, wo, wann, warum, wieso, welche, welcher, welches, welchen, wohin, viel, viele, mehr, sehr, noch, auch, nur, schon, mal, denn, doch, eben, etwas, nichts, alles, alle, bitte, danke, hallo, gern, gerne, jetzt, heute, morgen, gestern, immer, wieder, sonst, euro, tag, tage, jahr, jahre, kostet, kosten, kommt, komme, komm, kommen, gibts, kannst, darfst, musst, willst, wollt, wollte, sollte, müsste, dürfte, werde, wirst, lasse, lassen, lässt, finde, finden, findet, braucht, nehme, nehmen, nimmt, kriege, kriegt, kriegen, bekommt, bekommen, bleibt, bleiben, heißt, steht, stehen, liegt, dauert, funktioniert, läuft, fällt, fallen, gefällt, sehe, sehen, weiß, dann, erst, gerade, nun, dabei, dafür, damit, davon, dazu, daran, darauf, ins, aufs, ans, zwischen, während, seit, samt, jemand, jemanden, niemand, jeder, jede, jeden, jedes, eigene, eigenen, eigener, ihres, ihrer, eure, euren, eurer, eigentlich, vielleicht, wirklich, möglich, lange, oft, hoch, eher, ganz, etwa, überhaupt, zwei, drei, uhr, stunde, stunden, woche, wochen, monat, monate',
  related: DE_RELATED,
}
