import { FR as FR_RELATED } from '../related/fr.ts'
import type { Pack } from './pack.ts'

export const FR: Pack = {
  says: {
    greeting: 'Bonjour ! Comment puis-je vous aider ?',
    unknown: 'Désolé, je ne connais pas la réponse. Pouvez-vous le demander autrement ?',
    offer:
      'Désolé, je ne le sais pas non plus. Voulez-vous que je vous mette en relation avec une personne ?',
    clarify: 'Voulez-vous dire « {first} » ou « {second} » ?',
    confirm: 'Je ne suis pas sûr de comprendre. S’agit-il de « {first} » ?',
    declined: 'Très bien. Voulez-vous savoir autre chose ?',
    misunderstood: 'Désolé, j’ai mal compris. Pouvez-vous le demander autrement ?',
    silence: 'Je n’ai pas compris. Que voulez-vous savoir ?',
    handoff: 'Un instant, je vous mets en relation.',
    closed: 'Il n’y a personne pour le moment.',
    back: 'Nous revenons le {time}.',
    leaveMessage: 'Vous pouvez laisser un message ici : mes collègues le liront.',
    messageTaken: 'Merci. Mes collègues le liront.',
    cutShort: 'Désolé, ma réponse a été coupée ici.',
    failed: 'Désolé, cela n’a pas marché. Réessayez dans un instant.',
    eventReceived: 'Merci d’avoir attendu. Il y a du nouveau.',
  },
  smallTalk: [
    [
      'Bonjour ! Que voulez-vous savoir ?',
      'bonjour, bonsoir, salut, coucou, hello, bonne journée à vous, il y a quelqu’un',
    ],
    [
      'Je vais bien, merci. Que puis-je faire pour vous ?',
      'ça va, comment ça va, comment allez-vous, comment vas-tu',
    ],
    [
      'Je suis un assistant automatique et je réponds aux questions. Que voulez-vous savoir ?',
      'êtes-vous un robot, es-tu un robot, êtes-vous humain, qui êtes-vous, qui es-tu, aide, aidez-moi, pouvez-vous m’aider, j’ai besoin d’aide, j’ai une question',
    ],
    [
      'Bien. Voulez-vous savoir autre chose ?',
      'ok, d’accord, bien, très bien, super, parfait, génial, compris, je vois, oui, entendu',
    ],
    [
      'Je vous en prie ! Voulez-vous savoir autre chose ?',
      'merci, merci beaucoup, merci bien, mille mercis, grand merci',
    ],
    ['Très bien. Je suis là si besoin.', 'non, non merci, c’est tout, rien, rien d’autre, ce sera tout'],
    ['Au revoir !', 'au revoir, à bientôt, bonne nuit, bonne journée, bonne soirée, adieu, ciao, à plus'],
  ],
  fillers:
    's’il vous plaît, s’il te plaît, svp, stp, vous, toi, et, mais, alors, donc, encore, bien, tous, à tous, monsieur, madame, pour votre aide',
  yes: 'oui, ouais, bien sûr, d’accord, ok, exactement, tout à fait, volontiers, c’est ça, absolument',
  no: 'non, aucun, aucun des deux, ni l’un ni l’autre, non merci, pas ça',
  corrections:
    'c’est faux, faux, ce n’est pas ma question, ce n’est pas ce que j’ai demandé, vous n’avez pas compris, ce n’est pas ça',
  first: '1, un, premier, première, le premier, la première',
  second: '2, deux, deuxième, second, le deuxième, la deuxième, le second, la seconde, l’autre',
  people:
    'humain, personne, conseiller, conseillère, agent, collègue, employé, quelqu’un, responsable, opérateur, vrai, vraie, service, client',
  followUps: 'et, et pour, et si, aussi, ou, mais, alors',
  references: 'ça, cela, ce, ceci, il, elle, ils, elles, le, la, les, y, en',
  conjunctions: 'et, et aussi, ainsi que, aussi',
  commonWords:
    'le, la, les, l, un, une, des, du, de, d, au, aux, à, a, et, ou, mais, si, que, qu, qui, quoi, quel, quelle, quels, quelles, quand, comment, combien, où, pourquoi, est, est-ce, c’est, est-il, est-elle, sont, sont-ils, être, suis, êtes, était, ai, j’ai, as, avons, avez, avez-vous, ont, avoir, y, y a-t-il, il, elle, ils, elles, on, je, j, me, m, moi, mon, ma, mes, tu, te, ton, ta, tes, nous, notre, nos, vous, votre, vos, leur, leurs, se, s, ce, cet, cette, ces, ça, cela, dans, en, pour, par, sur, sous, avec, sans, chez, entre, jusqu’à, puis-je, peux, peut, peut-on, pouvez, pouvez-vous, pouvons, pouvons-nous, pourriez-vous, pourrait, dois, dois-je, doit, faut, faut-il, veux, voudrais, voudrions, voulons, aimerais, faire, fait, faites, ne, n, pas, plus, non, oui, bien, très, trop, tout, toute, tous, toutes, aussi, encore, déjà, alors, donc, merci, bonjour, s’il, plaît, svp, aujourd’hui, demain, hier, jour, jours, an, ans, année, années',
  related: FR_RELATED,
}
