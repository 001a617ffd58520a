import threading

from quarto_site.limits import HOUR_NS, Allowance

SECOND_NS = 1_000_000_000


def test_an_address_may_spend_its_allowance_at_once_and_no_more():
    allowance = Allowance(HOUR_NS)
    assert [allowance.spend("192.0.2.1", 3, 0) for _event in range(5)] == [True, True, True, False, False]


def test_an_allowance_comes_back_bit_by_bit():
    allowance = Allowance(60 * SECOND_NS)
    spent = [allowance.spend("192.0.2.1", 2, at * SECOND_NS) for at in (0, 0, 1, 30, 31, 60, 90, 91)]
    assert spent == [True, True, False, True, False, True, True, False]


def test_addresses_do_not_spend_for_each_other():
    allowance = Allowance(HOUR_NS)
    assert allowance.spend("192.0.2.1", 1, 0)
    assert not allowance.spend("192.0.2.1", 1, 0)
    assert allowance.spend("192.0.2.2", 1, 0)


def test_one_subscribers_ipv6_addresses_share_an_allowance():
    allowance = Allowance(HOUR_NS)
    assert allowance.spend("2001:db8::1", 1, 0)
    assert not allowance.spend("2001:db8::2", 1, 0)
    assert allowance.spend("2001:db8:0:1::1", 1, 0)
    assert not allowance.spend("2001:db8::3", 1, 0)


def test_an_ipv4_address_is_the_same_when_mapped():
    allowance = Allowance(HOUR_NS)
    assert allowance.spend("192.0.2.1", 1, 0)
    assert not allowance.spend("::ffff:192.0.2.1", 1, 0)


def test_nothing_may_be_spent_where_nothing_is_allowed():
    assert not Allowance(HOUR_NS).spend("192.0.2.1", 0, 0)


def test_no_event_is_lost_or_given_twice_by_rival_threads():
    allowance, taken = Allowance(HOUR_NS), []
    barrier = threading.Barrier(8)

    def rival():
        barrier.wait()
        for _event in range(100):
            if allowance.spend("192.0.2.1", 50, 0):
                taken.append(1)

    threads = [threading.Thread(target=rival) for _number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(taken) == 50
