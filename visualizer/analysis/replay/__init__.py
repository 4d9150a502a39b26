"""The search as it ran: a place in time is a row and whether it is entered or left."""
