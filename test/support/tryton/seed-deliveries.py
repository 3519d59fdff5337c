"""Gives the demo merchant carriers: two within Jamaica, one for other countries, and one that the storefront must not offer."""
import os
from decimal import Decimal

from proteus import Model, config

session = config.set_trytond(
    database=os.environ['TRYTON_DATABASE'], config_file=os.environ['TRYTON_CONFIG'])
model = Model.get
session._context = model('res.user').get_preferences(True, {})


def find(name, *domain):
    return model(name).find(list(domain), limit=1)[0]


def save(name, /, **values):
    record = model(name)(**values)
    record.save()
    return record


jamaica = find('country.country', ('code', '=', 'JM'))
america = save('country.country', name='United States', code='US', code3='USA')
unit = find('product.uom', ('name', '=', 'Unit'))
# Where the goods are sent from.
warehouse = find('stock.location', ('type', '=', 'warehouse'))
company = find('company.company')
address = save('party.address', party=model('party.party')(company.party.id), street='1 Marcus Garvey Drive',
    city='Kingston', country=model('country.country')(jamaica.id))
warehouse.address = model('party.address')(address.id)
warehouse.save()


def carrier(party, service, price, taxes, to, salable=True, **cost):
    template = model('product.template')(name=service, type='service', default_uom=model('product.uom')(unit.id),
        salable=salable, list_price=price, account_category=find('product.category', ('name', '=', taxes)))
    template.save()
    record = save('carrier', party=save('party.party', name=party),
        carrier_product=model('product.product')(template.products[0].id), **cost)
    model('carrier.selection')(carrier=record, sequence=record.id,
        to_country=to and model('country.country')(to.id)).save()


carrier('Island Couriers', 'Express delivery', Decimal('650.50'), 'Goods with GCT', jamaica)
carrier('Own van', 'Insured delivery', Decimal(0), 'Goods with GCT', None, carrier_cost_method='percentage',
    percentage=Decimal('2.35'))
carrier('Post', 'Parcel abroad', Decimal('4321.1250'), 'Goods without GCT', america)
carrier('Motorcycle', 'Test rides', Decimal('99'), 'Goods with GCT', None, salable=False)
