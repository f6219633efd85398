// The storefront over GraphQL through its Go client: what a program does with it, which asserts what it gets.
package shop_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	genqlient "github.com/Khan/genqlient/graphql"
	"github.com/google/uuid"
	"github.com/oapi-codegen/nullable"

	"example.com/acme/shop"
	"example.com/acme/shop/graphql"
)

var (
	visitors  = dial("API_URL", shop.Connection{})
	customers = dial("API_URL", shop.Connection{Token: shop.StaticToken(os.Getenv("CUSTOMER_TOKEN"))})
	clerks    = dial("API_URL", shop.Connection{Token: shop.StaticToken(os.Getenv("STAFF_TOKEN"))})
)

func dial(url string, connection shop.Connection) genqlient.Client {
	return must(shop.NewGraphQL(os.Getenv(url), connection, ""))
}

func graphqlInput(name string, price int) graphql.ProductInput {
	parcel := graphql.PhysicalDeliveryInput{WeightGrams: 410}
	return graphql.ProductInput{
		Sku: "GG-" + strings.ToUpper(uuid.NewString()[:8]), Name: name, Price: price, Currency: "EUR",
		Delivery: graphql.DeliveryInput{Physical: shop.Set(parcel)},
		TaxRate:  shop.Set("0.075"), Tags: shop.Set([]string{"b", "a"}), Stock: shop.Set(77),
	}
}

func graphqlCreate(name string, price int) graphql.Product {
	return must(graphql.CreateProduct(ctx, clerks, graphqlInput(name, price))).CreateProduct
}

func TestGraphQLAsksForANestedConnection(t *testing.T) {
	made := graphqlCreate("Reviewed mug", 100)
	patch := graphql.ProductPatch{Status: shop.Set(graphql.ProductStatusActive)}
	must(graphql.UpdateProduct(ctx, clerks, made.Id, patch, nil))
	must(graphql.CreateReview(ctx, customers, made.Id, graphql.ReviewInput{Rating: 5, Title: "Schöne Tüte"}))
	product := must(must(graphql.GetReviewedProduct(ctx, customers, made.Id, 5)).Product.Get())
	expect(t, len(product.Reviews.Nodes), 1)
	expect(t, product.Reviews.Nodes[0].Title, "Schöne Tüte")
}

func TestGraphQLMapsScalarsAndUnions(t *testing.T) {
	made := graphqlCreate("Typed mug", 100)
	expect(t, made.TaxRate, "0.075")
	expect(t, made.UnitsSold, graphql.BigInt(0))
	expect(t, made.CreatedAt.After(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)), true)
	switch delivery := made.Delivery.(type) {
	case *graphql.ProductDeliveryPhysicalDelivery:
		expect(t, delivery.WeightGrams, 410)
	default:
		t.Fatalf("%T is no parcel", delivery)
	}
}

func TestGraphQLSetsClearsAndLeavesOut(t *testing.T) {
	made := graphqlCreate("Patched", 100)
	patch := graphql.ProductPatch{Description: shop.Set("Text"), Price: shop.Set(150)}
	expect(t, must(graphql.UpdateProduct(ctx, clerks, made.Id, patch, nil)).UpdateProduct.Price, 150)
	patch = graphql.ProductPatch{Description: shop.Clear[string](), Tags: shop.Set([]string{})}
	changed := must(graphql.UpdateProduct(ctx, clerks, made.Id, patch, nil)).UpdateProduct
	expect(t, changed.Description.IsNull(), true)
	expect(t, len(changed.Tags), 0)
	expect(t, changed.Price, 150)
	expect(t, changed.Stock, 77)
}

func TestGraphQLGoesThroughPagesAsTheyAreNeeded(t *testing.T) {
	for _, price := range []int{3, 1, 2, 5, 4} {
		graphqlCreate("Leafed mug", price)
	}
	filter := shop.Set(graphql.ProductFilter{
		Name:      shop.Set(graphql.TextFilter{Contains: shop.Set("Leafed")}),
		Price:     shop.Set(graphql.IntRange{Gte: shop.Set(2)}),
		UnitsSold: shop.Set(graphql.BigIntRange{Lte: shop.Set(graphql.BigInt(0))}),
		Status:    shop.Set([]graphql.ProductStatus{graphql.ProductStatusDraft}),
	})
	sort := []graphql.ProductSort{graphql.ProductSortPriceAsc}
	found := shop.AllNodes(func(after nullable.Nullable[string]) ([]graphql.Product, bool, nullable.Nullable[string], error) {
		data, err := graphql.GetProducts(ctx, clerks, shop.Set(2), after, filter, sort)
		if err != nil {
			return nil, false, nil, err
		}
		return data.Products.Nodes, data.Products.PageInfo.HasNextPage, data.Products.PageInfo.EndCursor, nil
	})
	var prices []int
	for product, err := range found {
		prices = append(prices, must(product, err).Price)
	}
	expect(t, slices.Equal(prices, []int{2, 3, 4, 5}), true)
}

func TestGraphQLCreatesOnceWithAKey(t *testing.T) {
	body := graphqlInput("Once", 100)
	keyed := shop.WithIdempotencyKey(ctx, uuid.NewString())
	first := must(graphql.CreateProduct(keyed, clerks, body)).CreateProduct
	expect(t, must(graphql.CreateProduct(keyed, clerks, body)).CreateProduct.Id, first.Id)
}

func TestGraphQLTellsWhatTheAPIRefuses(t *testing.T) {
	made := graphqlCreate("Refused", 100)
	_, err := graphql.GetOrders(ctx, visitors, nil, nil, nil, nil)
	expect(t, errors.Is(err, shop.CodeUnauthenticated), true)
	_, err = graphql.GetProduct(ctx, visitors, uuid.Nil.String()[:35]+"7")
	expect(t, errors.Is(err, shop.CodeNotFound), true)
	patch := graphql.ProductPatch{Price: shop.Set(-1), Stock: shop.Set(-1)}
	_, err = graphql.UpdateProduct(ctx, customers, made.Id, graphql.ProductPatch{Price: shop.Set(1)}, nil)
	expect(t, errors.Is(err, shop.CodeForbidden), true)
	_, err = graphql.UpdateProduct(ctx, clerks, made.Id, graphql.ProductPatch{Price: shop.Set(1)}, shop.Set(9))
	expect(t, errors.Is(err, shop.CodePreconditionFailed), true)
	_, err = graphql.UpdateProduct(ctx, clerks, made.Id, patch, nil)
	var faulty *shop.Error
	expect(t, errors.As(err, &faulty), true)
	expect(t, faulty.Code, shop.CodeValidationFailed)
	expect(t, faulty.Status, 400)
	expect(t, len(faulty.Errors), 2)
	expect(t, strings.HasPrefix(faulty.Errors[0].Argument, "input."), true)
	expect(t, faulty.RequestID != "", true)
}

func TestGraphQLWaitsAsLongAsTheServerAsks(t *testing.T) {
	hasty := dial("LIMITED_URL", shop.Connection{LongestWait: 1})
	var failure *shop.Error
	for range 10 {
		if _, err := graphql.GetProducts(ctx, hasty, shop.Set(1), nil, nil, nil); errors.As(err, &failure) {
			break
		}
	}
	expect(t, failure != nil && failure.Code == shop.CodeTooManyRequests && failure.RetryAfter > 0, true)
	before := time.Now()
	must(graphql.GetProducts(ctx, dial("BUSY_URL", shop.Connection{}), shop.Set(1), nil, nil, nil))
	expect(t, time.Since(before) >= time.Second, true)
}

func TestGraphQLReadsWhatANewerServerAnswers(t *testing.T) {
	made := graphqlCreate("Newer", 100)
	product := must(must(graphql.GetProduct(ctx, dial("NEWER_URL", shop.Connection{}), made.Id)).Product.Get())
	expect(t, product.Status, "PREORDER")
}
