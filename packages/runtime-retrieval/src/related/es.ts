/** Words that ask for the same thing, or for one of its kind. */
export const ES = `
wifi internet red conexión conectar conectarme
contraseña clave acceso usuario
pin código puk secreto
teléfono móvil celular smartphone número
llamar llamada telefonear
correo email mensaje mail
aplicación app descargar instalar
cuenta perfil registro abrir apertura cliente alta
tarjeta tarjetas débito crédito
perdido cartera billetera monedero perdida perder perdí pérdida extraviado extraviada extraviar desaparecido
robado cartera billetera monedero robada robo robaron robar ladrón hurto
bloquear bloqueo bloqueada bloqueado congelar desactivar
dinero efectivo billetes importe
cajero cajeros retirar sacar retiro retirada
transferencia transferencias transferir enviar domiciliación giro mandar remesa
pago pagar pagos abonar factura paypal visa mastercard
factura recibo ticket comprobante
precio precios tarifa tarifas coste costo cuesta cuestan comisión comisiones caro barato
descuento descuentos cupón código promoción oferta rebaja rebajas vale
regalo regalos regalar envolver envoltorio
reembolso reembolsar devolución devolver
devolución devoluciones devolver cambio cambiar
cambio cambiar reemplazo sustituir
roto rota defectuoso defectuosa dañado dañada estropeado estropeada garantía defecto
garantía reparación reparar arreglar avería averiado averiada
envío envíos entrega entregar paquete mensajero llegar recibir cartero plazo pedido
seguimiento rastrear rastreo paquete localizar
pedido pedidos pedir compra comprar compré comprado
cancelación cancelar anular anulación baja deshacer desistir
cambiar modificar modificación cambio aplazar
dirección domicilio mudanza mudado mudarme
reserva reservar reservado reservación
habitación habitaciones cuarto suite alojamiento
cama camas cuna colchón almohada manta
bebé bebés cuna cochecito trona
niño niños niña niñas hijo hijos hija familia familias menores
perro perros gato gatos mascota mascotas animal animales cachorro gatito perrito
coche carro auto vehículo moto aparcar aparcamiento parking estacionar estacionamiento garaje
cargar cargador eléctrico enchufe recarga
bicicleta bicicletas bici bicis
tren estación autobús bus taxi aeropuerto traslado lanzadera metro
vuelo avión aeropuerto
desayuno desayunar desayunos brunch bufé buffet café
cena cenar restaurante comida comer almuerzo almorzar menú cocina hambre
vegano vegana vegetariano vegetariana gluten celíaco alergia alergias alérgico lactosa halal kosher dieta
bebida bebidas bar cerveza vino minibar
piscina nadar baño bañarse alberca
spa sauna bienestar masaje masajes
gimnasio fitness entrenar ejercicio deporte pesas
toalla toallas sábanas
lavandería lavar ropa planchar plancha tintorería colada
equipaje maleta maletas bolsa bolsas mochila consigna bulto mochilas
llave llaves tarjeta puerta
llegada llegar entrada llegamos checkin
salida salir dejar marcharse
accesible accesibilidad silla ruedas discapacidad discapacitado ascensor rampa escalones
ascensor elevador escaleras
fumar fumador fumadores cigarrillo cigarrillos tabaco
ruido ruidoso tranquilo silencio
aire acondicionado calefacción temperatura
depósito fianza anticipo señal
impuesto impuestos tasa tasas iva
pasaporte identidad documento documentos dni identificación
horario horarios abierto abierta abre abren cerrado cierra cierran festivo festivos apertura
préstamo préstamos crédito prestar financiación cuotas plazos
hipoteca vivienda inmueble
interés intereses tipo rendimiento
ahorro ahorros ahorrar
descubierto números rojos
límite máximo tope
extracto extractos movimientos historial
divisa divisas moneda dólares cambio
extranjero viaje viajar
fraude estafa phishing sospechoso sospechosa pirateado hackeado
seguro seguros asegurado siniestro
talla tallas estrecho ancho medidas chaqueta vestido pantalón camisa zapato apretado holgado
ropa chaqueta vestido pantalón camisa jersey abrigo vaqueros
zapatos botas zapatillas sandalias
color colores
disponible disponibilidad existencias agotado stock
tienda tiendas sucursal sucursales oficina local
empleo trabajo vacante vacantes trabajar carrera
contacto contactar comunicarme
queja quejas reclamación reclamar
opinión reseña valoración
boletín newsletter darme suscripción
suscripción suscribir contrato abono
datos privacidad borrar eliminar
boda casarse casado apellido
fiesta cumpleaños boda evento celebrar celebración
reunión reuniones conferencia sala seminario
médico doctor farmacia enfermo hospital emergencia
caja fuerte valor joyas
vistas balcón terraza
estudiante estudiantes alumno
grupo grupos
puntos fidelidad bonificación
televisión tele tv canales
`
