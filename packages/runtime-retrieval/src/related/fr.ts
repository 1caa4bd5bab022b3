/** Words that ask for the same thing, or for one of its kind. */
export const FR = `
wifi internet réseau connexion connecter
motdepasse identifiant identifiants connexion
pin code puk
téléphone portable mobile smartphone numéro
appeler appel téléphoner
mail email courriel message
application appli télécharger installer
compte profil inscription ouverture
carte bancaire débit crédit
perdu portefeuille perdue perdre perte égaré égarée disparu disparue introuvable
volé portefeuille volée voler voleur dérobé dérobée piqué piquée
bloquer blocage bloquée bloqué opposition désactiver geler
argent espèces liquide billets montant
distributeur dab retirer retrait retraits espèces
virement virements transférer transfert envoyer prélèvement
paiement payer régler règlement paiements facture
facture reçu ticket justificatif
prix tarif tarifs coût coûte frais cher commission
réduction remise promo promotion code coupon rabais solde soldes
cadeau cadeaux offrir emballage emballer
remboursement rembourser remboursé remboursée récupérer
retour retours retourner renvoyer rendre échange échanger
échange échanger remplacer remplacement
cassé cassée défectueux défectueuse abîmé abîmée endommagé endommagée panne garantie défaut
garantie réparation réparer
livraison livrer livré expédition colis envoi facteur délai délais recevoir
suivi suivre colis
commande commander achat acheter acheté
annulation annuler annulé résilier résiliation
modifier modification changer changement décaler reporter
adresse déménagement déménagé déménager
réservation réserver réservé
chambre chambres suite hébergement
lit lits berceau matelas oreiller couverture
bébé nourrisson berceau poussette
enfant enfants fils fille famille familles ado
chien chiens chat chats animal animaux chiot
voiture véhicule auto moto parking garage stationner garer stationnement
recharge recharger borne électrique prise charger
vélo vélos bicyclette bicyclettes
train gare bus taxi aéroport navette transfert métro
avion aéroport
déjeuner brunch buffet croissant café
dîner restaurant repas manger souper menu cuisine faim
végétarien végétarienne végétalien vegan gluten allergie allergies allergique lactose halal casher régime
boisson boissons bar bière vin minibar
piscine nager baignade bassin baigner
spa sauna bien-être massage hammam
gym sport fitness musculation entraînement salle
serviette serviettes draps linge
linge blanchisserie laver lessive pressing repassage vêtements
bagage bagages valise valises sac sacs consigne
clé clef badge porte
arrivée arriver enregistrement arrivons
départ partir quitter libérer
accessible accessibilité fauteuil roulant handicap handicapé ascenseur rampe marches
ascenseur escalier étage
fumer fumeur fumeurs cigarette cigarettes tabac
bruit bruyant calme silence
climatisation clim chauffage température
acompte caution dépôt arrhes
taxe taxes tva séjour
passeport identité pièce papiers documents
horaires heures ouvert ouverte ouverture fermé fermée fermeture ouvre ferme férié fériés
prêt crédit emprunt emprunter financement mensualités
hypothèque immobilier logement
intérêt intérêts taux pourcent rendement
épargne épargner livret économies
découvert négatif
plafond limite maximum plafonds
relevé relevés historique opérations
devise devises change dollars monnaie
étranger voyage voyager séjour
fraude arnaque phishing hameçonnage suspect suspecte piraté piratée escroquerie
assurance assuré assurer sinistre
taille tailles pointure serré large mesures veste robe pantalon
vêtement vêtements veste robe pantalon chemise pull manteau jean
chaussures bottes baskets sandales
couleur couleurs
stock disponible disponibilité rupture épuisé
magasin magasins boutique agence agences succursale
emploi emplois poste carrière recrutement postuler travailler
contact contacter
réclamation plainte plaindre mécontent
avis note opinion
newsletter désabonner désinscrire lettre
abonnement abonner contrat
données confidentialité rgpd supprimer
mariage marier épouse
fête anniversaire mariage événement célébrer
réunion conférence séminaire salle
médecin pharmacie malade hôpital urgence
coffre coffre-fort objets bijoux
vue balcon terrasse
étudiant étudiants étudiante élève
groupe groupes
points fidélité bonus prime
télévision télé tv chaînes
`
