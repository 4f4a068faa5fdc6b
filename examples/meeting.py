# What time is noon in UTC elsewhere? Six calls of an MCP server, one table.
import asyncio

ZONES = [
    *("Asia/Tokyo", "Asia/Kolkata", "Asia/Dubai"),
    *("Africa/Lagos", "America/Bogota", "Pacific/Honolulu"),
]


async def there(zone):
    answer = await time.convert_time(source_timezone="UTC", time="12:00", target_timezone=zone)
    return answer["target"]["datetime"][11:16], answer["time_difference"]


for zone, (clock, difference) in zip(ZONES, await asyncio.gather(*map(there, ZONES))):
    print(f"{clock}  {difference:>6}  {zone}")
