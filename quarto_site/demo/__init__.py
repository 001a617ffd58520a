"""A club to look around in: people, tournaments in every state, and games that were really played.

Everything is made through the services, and every action of every game was judged by the referee.
"""
