"""Numbers and dates as people and spreadsheets write them."""
